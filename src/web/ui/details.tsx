import { type ReactNode, useState } from 'react'
import css from './details.module.css'

type DetailsProps = {
  readonly title: string
  readonly className?: string
  /** Rendered when opened. */
  readonly children: ReactNode
}

/** A disclosure that renders its content only while it is open. */
export function Details({ title, className = css.details, children }: DetailsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={className} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  )
}
