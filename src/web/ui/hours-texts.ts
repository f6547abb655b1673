import type { Instructor } from '../../contract/instructor.ts'
import type { Field } from './field-kinds.ts'
import { weekdayName } from './weekday-name.ts'

export const HOURS: Field<Instructor['availability_windows']> = {
  label: 'field.availability_windows',
  words: (windows, { format }, t) =>
    windows
      .toSorted((a, b) => a.weekday - b.weekday || (a.start < b.start ? -1 : 1))
      .map(({ weekday, start, end, valid_from, valid_to }) =>
        [
          `${weekdayName(weekday, format)} ${start}–${end}`,
          valid_from && t('instructor.validFromDate', { date: format.date(valid_from) }),
          valid_to && t('instructor.validToDate', { date: format.date(valid_to) }),
        ]
          .filter(Boolean)
          .join(' '),
      ),
}
