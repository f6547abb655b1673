import { type ReactNode, useState } from 'react'
import css from './link-panel.module.css'

type LinkDisclosureProps = {
  readonly title: string
  /** Rendered when opened. */
  readonly children: ReactNode
}

/** A link behind its title, because the secret is not shown by default. */
export function LinkDisclosure({ title, children }: LinkDisclosureProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={css.box} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  )
}
