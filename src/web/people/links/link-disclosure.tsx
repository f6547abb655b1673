import { type ReactNode, useState } from 'react'
import css from './link-panel.module.css'

type LinkDisclosureProps = {
  readonly title: string
  /** It is read when somebody wants to know. */
  readonly children: ReactNode
}

/** A link, behind its title: what is a secret is not open beside other things. */
export function LinkDisclosure({ title, children }: LinkDisclosureProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={css.box} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  )
}
