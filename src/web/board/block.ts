import type { Calendar } from '@event-calendar/core'
import { element } from '../ui/dom.ts'
import { iconElement } from '../ui/icon.tsx'
import { type FreedText, freedTime } from './freed-time.ts'

const ICON = 12

/** The text of a block; kept short, because every change compares it. */
export type BlockText = {
  readonly time: string
  readonly student: string
  readonly type: string
  readonly status: string
  /** The rule that the lesson breaks, or another reason for attention; empty if there is none. */
  readonly mark: string
  readonly notes: string
  /** The full text for screen readers. */
  readonly label: string
}

/** Returns the content of an event. Lessons and offered times are buttons, identified by `data-lesson` or `data-slot`. */
export function eventContent({ event, timeText }: Calendar.EventContentInfo): Calendar.Content {
  if (event.display === 'background') return backgroundContent(event)
  const text = event.extendedProps as Partial<BlockText>
  if (event.display === 'preview') {
    return { domNodes: [element('div', 'block', ...linesOf({ ...text, time: timeText }))] }
  }
  const block = element('button', `block ${event.classNames.join(' ')}`, ...linesOf(text))
  if (text.label) {
    block.dataset.lesson = String(event.id)
    block.ariaLabel = text.label
    if (text.notes) block.title = text.notes
  } else {
    block.dataset.slot = String(event.id)
  }
  return { domNodes: [block] }
}

/** The texts of a background: a vacation's name, a cancelled lesson, or dusk. */
type Background = { readonly vacation?: string; readonly freed?: FreedText; readonly dusk?: string }

function backgroundContent(event: Calendar.Event): Calendar.Content {
  const { vacation, freed, dusk } = event.extendedProps as Background
  if (freed) return { domNodes: [freedTime(String(event.id), freed)] }
  if (dusk) return { domNodes: [element('span', 'dusk', iconElement('moon', ICON), dusk)] }
  return { domNodes: vacation ? [element('span', 'vacation-name', vacation)] : [] }
}

/** Returns the lines of a block, the least important last, separated by spaces for screen readers. */
function linesOf({
  time,
  student,
  type,
  status,
  mark,
  notes,
}: Partial<BlockText>): readonly (Node | string)[] {
  const line = (className: string, ...parts: readonly (Node | string)[]) =>
    element('span', className, ...parts)
  return [
    line(
      'lesson-time',
      time ?? '',
      ...(status ? [' ', line('lesson-status', status)] : []),
      ...(notes ? [line('lesson-noted', iconElement('note', ICON))] : []),
    ),
    line('lesson-student', student ?? ''),
    ...(mark ? [line('lesson-mark', iconElement('alert', ICON), mark)] : []),
    line('lesson-type', type ?? ''),
    ...(notes ? [line('lesson-notes', notes)] : []),
  ].flatMap((one) => [one, ' '])
}
