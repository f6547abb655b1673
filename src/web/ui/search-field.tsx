import { useEffect, useRef, useState } from 'react'
import field from './field.module.css'
import css from './search-field.module.css'

type SearchFieldProps = {
  readonly label: string
  /** The text in the page's address. */
  readonly q: string
  readonly onSearch: (q: string) => void
}

/** A search field with its text in the page's address. Typing does not wait for the address. */
export function SearchField({ label, q, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(q)
  const input = useRef<HTMLInputElement>(null)
  // The address may change by the back button or a link.
  useEffect(() => {
    if (document.activeElement !== input.current) setTyped(q)
  }, [q])
  return (
    <input
      ref={input}
      type="search"
      className={`${field.field} ${css.search}`}
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        onSearch(target.value)
      }}
    />
  )
}
