import type { Calendar } from '@event-calendar/core'
import type { TFunction } from 'i18next'
import type { Instructor } from '../../contract/instructor.ts'
import type { Load } from '../../domain/load.ts'
import { type Meter, meterOf } from '../lessons/meter.ts'
import { element } from '../ui/dom.ts'
import { iconElement } from '../ui/icon.tsx'
import { initialsOf, nameOf, type School } from '../ui/school.tsx'

/** The head of a column; kept short, because every change compares it. */
type Head = {
  readonly initials: string
  readonly color: string
  readonly week: string
  readonly sheet: string
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
    sheet: t('sheet.of', { name: nameOf(instructor) }),
    meter: meterOf(load, 'day', school, t),
  }
  const name = nameOf(instructor)
  const title = instructor.active ? name : `${name} (${t('board.inactive')})`
  return { id: instructor.id, title, extendedProps: head }
}

type Ways = {
  readonly openWeek: (instructorId: string) => void
  readonly openSheet: (instructorId: string) => void
}

/** The content of a column's head: the name leads to the week, the printer to the day sheet. */
export function columnHead(
  { resource }: Calendar.ResourceLabelInfo,
  { openWeek, openSheet }: Ways,
): Calendar.Content {
  const { initials, color, week, sheet, meter } = resource.extendedProps as unknown as Head
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
  const printer = element('button', 'column-sheet', iconElement('print', 16))
  printer.title = sheet
  printer.ariaLabel = sheet
  printer.addEventListener('click', () => openSheet(resource.id))
  return { domNodes: [element('div', 'column-head', name, printer, meterElement(meter))] }
}

/** `special` names the day's holiday or closure. */
export function dayHead(words: string, meter: Meter, special: string): Calendar.Content {
  const named = special ? [element('span', 'special-day', special)] : []
  return { domNodes: [element('span', 'day-head', words, ...named, meterElement(meter))] }
}

function meterElement({ units, label, level, filled }: Meter): HTMLElement {
  const bar = element('span', 'meter-bar')
  bar.style.inlineSize = `${filled}%`
  const text = element('span', 'meter-text', units)
  text.title = label
  return element('span', `meter meter-${level}`, element('span', 'meter-track', bar), text)
}
