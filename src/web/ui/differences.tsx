import { Fragment } from 'react'
import css from './differences.module.css'
import type { FieldText } from './field-texts.ts'

/** The old and the new value of a field. */
export type Difference = {
  readonly name: string
  readonly label: string
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** Returns the fields in which two sides differ; for lists only removed and added entries. */
export function differencesOf(
  before: readonly FieldText[],
  after: readonly FieldText[],
): readonly Difference[] {
  return after.flatMap(({ name, label, texts }) => {
    const old = before.find((field) => field.name === name)?.texts ?? []
    const removed = old.filter((text) => !texts.includes(text))
    const added = texts.filter((text) => !old.includes(text))
    return removed.length + added.length > 0 ? [{ name, label, removed, added }] : []
  })
}

export function Differences({ list }: { list: readonly Difference[] }) {
  return (
    <ul className={css.differences}>
      {list.map(({ name, label, removed, added }) => (
        <li key={name}>
          {label}:{' '}
          {removed.map((text, index) => (
            <Fragment key={text}>
              {index > 0 && ', '}
              <del>{text}</del>
            </Fragment>
          ))}
          {removed.length > 0 && added.length > 0 && ' → '}
          {added.map((text, index) => (
            <Fragment key={text}>
              {index > 0 && ', '}
              <ins>{text}</ins>
            </Fragment>
          ))}
        </li>
      ))}
    </ul>
  )
}
