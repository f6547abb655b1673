import { Fragment } from 'react'
import css from './differences.module.css'
import type { FieldText } from './field-texts.ts'

/** The old and the new value of a field. */
export type Difference = {
  readonly name: string
  readonly label: string
  readonly gone: readonly string[]
  readonly come: readonly string[]
}

/** Returns the fields in which two sides differ; for lists only removed and added entries. */
export function differencesOf(
  before: readonly FieldText[],
  after: readonly FieldText[],
): readonly Difference[] {
  return after.flatMap(({ name, label, texts }) => {
    const were = before.find((field) => field.name === name)?.texts ?? []
    const gone = were.filter((word) => !texts.includes(word))
    const come = texts.filter((word) => !were.includes(word))
    return gone.length + come.length > 0 ? [{ name, label, gone, come }] : []
  })
}

export function Differences({ list }: { list: readonly Difference[] }) {
  return (
    <ul className={css.differences}>
      {list.map(({ name, label, gone, come }) => (
        <li key={name}>
          {label}:{' '}
          {gone.map((word, index) => (
            <Fragment key={word}>
              {index > 0 && ', '}
              <del>{word}</del>
            </Fragment>
          ))}
          {gone.length > 0 && come.length > 0 && ' → '}
          {come.map((word, index) => (
            <Fragment key={word}>
              {index > 0 && ', '}
              <ins>{word}</ins>
            </Fragment>
          ))}
        </li>
      ))}
    </ul>
  )
}
