import type { Calendar } from '@event-calendar/core'
import type { TFunction } from 'i18next'
import type { Instructor } from '../../contract/instructor.ts'
import type { Load } from '../../domain/load.ts'
import { element } from '../ui/dom.ts'
import { initialsOf, nameOf, type School } from '../ui/school.tsx'
import { type Meter, meterOf } from './meter.ts'

/** What stands above an instructor's column; kept small, for it is compared whenever anything changes. */
type Head = {
  readonly initials: string
  readonly color: string
  readonly week: string
  readonly meter: Meter
}

export function columnOf(
  instructor: Instructor,
  load: Load,
  school: School,
  t: TFunction,
): Calendar.ResourceInput {
  const head: Head = {
    initials: initialsOf(instructor),
    color: instructor.color,
    week: t('board.weekOf', { name: nameOf(instructor) }),
    meter: meterOf(load, 'day', school, t),
  }
  const name = nameOf(instructor)
  const title = instructor.active ? name : `${name} (${t('instructor.inactive')})`
  return { id: instructor.id, title, extendedProps: head }
}

/** The inside of a column's head; its name leads to the instructor's week. */
export function columnHead(
  { resource }: Calendar.ResourceLabelInfo,
  openWeek: (instructorId: string) => void,
): Calendar.Content {
  const { initials, color, week, meter } = resource.extendedProps as unknown as Head
  const avatar = element('span', 'person', initials)
  avatar.style.setProperty('--person', color)
  avatar.ariaHidden = 'true'
  const name = element(
    'button',
    'column-name',
    avatar,
    element('span', 'column-text', String(resource.title)),
  )
  name.title = week
  name.addEventListener('click', () => openWeek(resource.id))
  return { domNodes: [element('div', 'column-head', name, meterElement(meter))] }
}

function meterElement({ units, label, level, filled }: Meter): HTMLElement {
  const bar = element('span', 'meter-bar')
  bar.style.inlineSize = `${filled}%`
  const text = element('span', 'meter-text', units)
  text.title = label
  return element('div', `meter meter-${level}`, element('span', 'meter-track', bar), text)
}
