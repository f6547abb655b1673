import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import field from '../ui/field.module.css'
import css from './students-page.module.css'

type SearchFieldProps = {
  /** What the address says. */
  readonly q: string
  readonly onSearch: (q: string) => void
}

/** The address follows the typing, some time later; the field itself never waits for it. */
export function SearchField({ q, onSearch }: SearchFieldProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(q)
  const input = useRef<HTMLInputElement>(null)
  // Another way to this address: back, or a link.
  useEffect(() => {
    if (document.activeElement !== input.current) setTyped(q)
  }, [q])
  return (
    <input
      ref={input}
      type="search"
      className={`${field.field} ${css.search}`}
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
