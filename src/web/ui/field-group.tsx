import type { PropsWithChildren } from 'react'
import css from './group.module.css'

type FieldGroupProps = PropsWithChildren<{ readonly title: string; readonly hint?: string }>

/** Fields with a title and an explanation. */
export function FieldGroup({ title, hint, children }: FieldGroupProps) {
  return (
    <fieldset className={css.group}>
      <legend>{title}</legend>
      {hint && <p className={css.hint}>{hint}</p>}
      {children}
    </fieldset>
  )
}
