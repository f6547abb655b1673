import EXPORTS from '../../packs/columns/exports.json' with { type: 'json' }
import { type Label, labelsOf } from '../domain/fields.ts'
import { deLabels } from '../domain/labels/de-labels.ts'
import { deLaterLabels } from '../domain/labels/de-later-labels.ts'
import { enLabels } from '../domain/labels/en-labels.ts'
import { enLaterLabels } from '../domain/labels/en-later-labels.ts'
import { STUDENT_FIELDS } from '../domain/student-fields.ts'

/** The labels of fields in the app. */
export const LABELS = {
  de: { ...labelsOf(STUDENT_FIELDS, 'de'), ...deLabels, ...deLaterLabels },
  en: { ...labelsOf(STUDENT_FIELDS, 'en'), ...enLabels, ...enLaterLabels },
}

export type Labelled = keyof (typeof LABELS)['de']

type Own = keyof typeof EXPORTS

/** A column of exports: the compiler demands a heading in both languages. */
export type ExportColumn = Labelled | Own

const OWN: Readonly<Record<Own, Label>> = EXPORTS

/** Returns the headings of an export: its own, or else the labels of the fields. */
export function headingsOf(columns: readonly ExportColumn[], language: string): readonly string[] {
  const known = languageOf(language)
  return columns.map((column) => (isOwn(column) ? OWN[column][known] : LABELS[known][column]))
}

/** Returns the language of the headings for schools that speak this one. */
export function languageOf(language: string): keyof Label {
  return language === 'de' ? 'de' : 'en'
}

function isOwn(column: ExportColumn): column is Own {
  return column in OWN
}
