import type { Calendar } from '@event-calendar/core'
import type { TFunction } from 'i18next'
import type { Instructor } from '../../contract/instructor.ts'
import type { Load } from '../../domain/load.ts'
import { type Meter, meterOf } from '../lessons/meter.ts'
import { element } from '../ui/dom.ts'
import { type IconName, iconElement } from '../ui/icon.tsx'
import { initialsOf, nameOf, type School } from '../ui/school.tsx'

/** The head of a column; kept short, because every change compares it. */
type Head = {
  readonly initials: string
  readonly color: string
  readonly week: string
  readonly sheet: string
  readonly absence: string
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
    absence: t('board.fallsOut', { name: nameOf(instructor) }),
    meter: meterOf(load, 'day', school, t),
  }
  const name = nameOf(instructor)
  const title = instructor.active ? name : `${name} (${t('board.inactive')})`
  return { id: instructor.id, title, extendedProps: head }
}

type Navigation = {
  readonly openWeek: (instructorId: string) => void
  readonly open: (page: '/day-sheet' | '/absence', instructorId: string) => void
}

/** Returns the content of a column's head: the name opens the week, the icons the absence and the day sheet. */
export function columnHead(
  { resource }: Calendar.ResourceLabelInfo,
  { openWeek, open }: Navigation,
): Calendar.Content {
  const { initials, color, week, sheet, absence, meter } = resource.extendedProps as unknown as Head
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
  const link = (icon: IconName, label: string, page: Parameters<Navigation['open']>[0]) => {
    const button = element('button', 'column-link', iconElement(icon, 16))
    button.title = label
    button.ariaLabel = label
    button.addEventListener('click', () => open(page, resource.id))
    return button
  }
  const links = element(
    'div',
    'column-links',
    link('alert', absence, '/absence'),
    link('print', sheet, '/day-sheet'),
  )
  return { domNodes: [element('div', 'column-head', name, links, meterElement(meter))] }
}

/** Returns the head of a day; `special` is the name of its holiday or closure. */
export function dayHead(label: string, meter: Meter, special: string): Calendar.Content {
  const named = special ? [element('span', 'special-day', special)] : []
  return { domNodes: [element('span', 'day-head', label, ...named, meterElement(meter))] }
}

function meterElement({ units, label, level, filled }: Meter): HTMLElement {
  const bar = element('span', 'meter-bar')
  bar.style.inlineSize = `${filled}%`
  const text = element('span', 'meter-text', units)
  text.title = label
  return element('span', `meter meter-${level}`, element('span', 'meter-track', bar), text)
}
