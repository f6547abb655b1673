import { type FocusEvent, type PointerEvent, useRef } from 'react'
import type { FreedText } from './grid-event.ts'

/** Shows a strip at the edge of a cancelled lesson's time; hover, click or focus shows the lesson. */
export function FreedTime({ id, text }: { id: string; text: FreedText }) {
  const strip = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const show = () => {
    if (!strip.current || !panel.current || panel.current.matches(':popover-open')) return
    panel.current.showPopover()
    place(panel.current, strip.current.getBoundingClientRect())
  }
  const hide = () => {
    if (!panel.current?.matches(':focus-within')) panel.current?.hidePopover()
  }
  const byMouse = (act: () => void) => (event: PointerEvent) => event.pointerType === 'mouse' && act()
  const hideOnLeaving = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) panel.current?.hidePopover()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering shows what focus and click show, too
    <div
      className="freed-time"
      onPointerEnter={byMouse(show)}
      onPointerLeave={byMouse(hide)}
      onBlur={hideOnLeaving}
    >
      <button
        ref={strip}
        type="button"
        className="lesson-cancelled"
        data-lesson={id}
        aria-label={text.label}
        onFocus={show}
        onClick={show}
      >
        <span className="freed-words">{text.who}</span>
      </button>
      <div
        ref={panel}
        className="freed-panel"
        popover="auto"
        onToggle={({ newState }) => strip.current?.setAttribute('aria-expanded', String(newState === 'open'))}
      >
        <div className="freed-who">{text.who}</div>
        <div className="freed-what">{text.what}</div>
        {text.notes && <div className="freed-notes">{text.notes}</div>}
        <div className="freed-buttons">
          {text.book && (
            <button type="button" className="freed-button freed-book" data-book={id}>
              {text.book}
            </button>
          )}
          <button type="button" className="freed-button" data-open={id}>
            {text.open}
          </button>
        </div>
      </div>
    </div>
  )
}

/** Places the panel beside its strip, within the window. */
function place(panel: HTMLElement, strip: DOMRect): void {
  const { offsetWidth, offsetHeight } = panel
  const left = strip.left >= offsetWidth ? strip.left - offsetWidth : strip.right
  panel.style.left = `${Math.max(Math.min(left, innerWidth - offsetWidth), 0)}px`
  panel.style.top = `${Math.max(Math.min(strip.top, innerHeight - offsetHeight), 0)}px`
}
