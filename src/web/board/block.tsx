import { Fragment } from 'react'
import { Icon } from '../ui/icon.tsx'
import { FreedTime } from './freed-time.tsx'
import type { BlockText, EventContent, GridEvent } from './grid-event.ts'

const ICON = 12

/** Shows an event. Lessons, offered times and proposed lessons are buttons, identified by `data-lesson`, `data-slot` or `data-ghost`. */
export function EventBody({ event: { id, className, content } }: { event: GridEvent }) {
  switch (content.kind) {
    case 'background':
      return <Background id={id} content={content} />
    case 'slot':
      return (
        <button type="button" className={`block ${className}`} data-slot={id}>
          <Lines {...content.text} />
        </button>
      )
    case 'ghost':
      return (
        <button
          type="button"
          className={`block ${className}`}
          data-ghost={id}
          aria-label={content.text.label}
        >
          <Lines {...content.text} />
        </button>
      )
    case 'lesson': {
      const { text } = content
      return (
        <button
          type="button"
          className={`block ${className}`}
          data-lesson={id}
          aria-label={text.label}
          title={text.notes || undefined}
        >
          <Lines {...text} />
        </button>
      )
    }
  }
}

type BackgroundProps = {
  readonly id: string
  readonly content: Extract<EventContent, { readonly kind: 'background' }>
}

function Background({ id, content: { vacation, freed, dusk } }: BackgroundProps) {
  if (freed) return <FreedTime id={id} text={freed} />
  if (dusk)
    return (
      <span className="dusk">
        <Icon name="moon" size={ICON} />
        {dusk}
      </span>
    )
  return vacation && <span className="vacation-name">{vacation}</span>
}

/** Shows the lines of a block, the least important last, separated by spaces for screen readers. */
export function Lines({ time, short, student, lines, status, mark, notes }: Partial<BlockText>) {
  return (
    <>
      <span className="lesson-time">
        {time}
        {short && ' '}
        {/* No text of its own: the label has the type's name. */}
        {short && <span className="lesson-short" data-short={short} />}
        {status && ' '}
        {status && <span className="lesson-status">{status}</span>}
        {notes && (
          <span className="lesson-noted">
            <Icon name="note" size={ICON} />
          </span>
        )}
      </span>{' '}
      <span className="lesson-student">{student}</span>{' '}
      {mark && (
        <span className="lesson-mark">
          <Icon name="alert" size={ICON} />
          {mark}
        </span>
      )}{' '}
      {lines?.map((line) => (
        <Fragment key={line}>
          <span className="lesson-line">{line}</span>{' '}
        </Fragment>
      ))}
      {notes && <span className="lesson-notes">{notes}</span>}
    </>
  )
}
