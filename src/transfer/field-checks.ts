import type { FieldKind, FieldList, NameOf } from '../domain/fields.ts'
import * as range from '../domain/ranges.ts'
import * as is from './checks.ts'

export const color = is.pattern(/^#[0-9A-Fa-f]{6}$/, 'a color, as #0072B2')
export const licenseClasses = is.listOf(is.text(range.LICENSE_CLASS_LENGTH), range.MOST_LICENSE_CLASSES)

const OF_KIND: Readonly<Record<FieldKind, is.Check>> = {
  name: is.text(range.NAME_LENGTH),
  line: is.text(range.TITLE_LENGTH),
  text: is.text(range.NOTES_LENGTH),
  email: is.email,
  phone: is.text(range.PHONE_LENGTH),
  date: is.date,
  wall_clock: is.wallClock,
  status: is.oneOf(['planned', 'completed', 'no_show', 'cancelled']),
  id: is.uuid,
  vehicles: is.listOf(is.uuid, range.MOST_VEHICLES_OF_AN_APPOINTMENT),
  attendees: is.attendees(range.SEATS.max),
  seats: is.integer(range.SEATS),
  topic: is.text(range.TOPIC_LENGTH),
  exam_result: is.object(
    { passed: is.flag, note: is.orNull(is.text(range.NOTES_LENGTH)) },
    'the result of an exam: passed, note',
  ),
  color,
  classes: licenseClasses,
  flag: is.flag,
  daily_units: is.integer(range.DAILY_UNITS),
  weekly_units: is.integer(range.WEEKLY_UNITS),
  break_minutes: is.integer(range.BREAK_MINUTES),
  continuous_minutes: is.integer(range.CONTINUOUS_MINUTES),
}

export function checksOf<const List extends FieldList>(
  fields: List,
): Readonly<Record<NameOf<List>, is.Check>> {
  const entries = Object.entries(fields).map(([field, { kind, isNullable }]) => [
    field,
    isNullable ? is.orNull(OF_KIND[kind]) : OF_KIND[kind],
  ])
  return Object.fromEntries(entries)
}
