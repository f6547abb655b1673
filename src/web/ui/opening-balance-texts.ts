import type { OpeningBalance } from '../../contract/opening-balance.ts'
import { type Field, NOTHING } from './field-kinds.ts'

export const OPENING_BALANCE: Field<OpeningBalance> = {
  label: 'opening.title',
  words: (entries, { lessonType, format }, t) =>
    entries.map(({ lesson_type_id, units, source, date }) =>
      t('opening.entry', {
        units: format.units(units),
        type: lessonType.get(lesson_type_id)?.name ?? NOTHING,
        source,
        date: format.date(date),
      }),
    ),
}
