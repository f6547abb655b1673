import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import page from '../ui/page.module.css'

type SearchFieldProps = {
  /** What the address says. */
  readonly q: string
  readonly onSearch: (q: string) => void
}

/** The address follows the typing, some time later; the field itself never waits for it. */
export function SearchField({ q, onSearch }: SearchFieldProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(q)
  const field = useRef<HTMLInputElement>(null)
  // Another way to this address: back, or a link.
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(q)
  }, [q])
  return (
    <input
      ref={field}
      type="search"
      className={page.search}
      aria-label={t('student.search')}
      placeholder={t('student.search')}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        onSearch(target.value)
      }}
    />
  )
}
