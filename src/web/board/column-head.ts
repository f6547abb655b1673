import type { Calendar } from '@event-calendar/core'
import type { TFunction } from 'i18next'
import type { Instructor } from '../../contract/instructor.ts'
import { element } from '../ui/dom.ts'
import { initialsOf, nameOf, type School } from '../ui/school.tsx'
import type { Load } from './verdict.ts'

/** What stands above an instructor's column; kept small, for it is compared at every poll. */
type Head = {
  readonly initials: string
  readonly color: string
  readonly week: string
  readonly units: string
  readonly label: string
  readonly level: 'free' | 'open' | 'full' | 'over'
  /** Percent of the bar. */
  readonly filled: number
}

export function columnOf(
  instructor: Instructor,
  load: Load,
  { format }: School,
  t: TFunction,
): Calendar.ResourceInput {
  const { units, limit, ceiling } = load
  const booked = format.units(units)
  const head: Head = {
    initials: initialsOf(instructor),
    color: instructor.color,
    week: t('board.weekOf', { name: nameOf(instructor) }),
    ...(limit === null
      ? { units: t('board.unitsFree', { booked }), label: t('board.unitsFreeLabel', { booked }) }
      : {
          units: t('board.units', { booked, limit: format.units(limit) }),
          label: t('board.unitsLabel', { booked, limit: format.units(limit) }),
        }),
    level: levelOf(load),
    filled: limit === null ? 0 : Math.min(100, (units / Math.max(limit, ceiling ?? 0, 1)) * 100),
  }
  return { id: instructor.id, title: nameOf(instructor), extendedProps: head }
}

/** Amber at the limit, red above it, where only the override allows. */
function levelOf({ units, limit }: Load): Head['level'] {
  if (limit === null) return 'free'
  if (units > limit) return 'over'
  return units === limit ? 'full' : 'open'
}

/** The inside of a column's head; its name leads to the instructor's week. */
export function columnHead(
  { resource }: Calendar.ResourceLabelInfo,
  openWeek: (instructorId: string) => void,
): Calendar.Content {
  const { initials, color, week, units, label, level, filled } = resource.extendedProps as unknown as Head
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
  const bar = element('span', 'meter-bar')
  bar.style.inlineSize = `${filled}%`
  const text = element('span', 'meter-text', units)
  text.title = label
  const meter = element('div', `meter meter-${level}`, element('span', 'meter-track', bar), text)
  return { domNodes: [element('div', 'column-head', name, meter)] }
}
