import { element } from '../ui/dom.ts'

export type FreedText = {
  readonly label: string
  readonly who: string
  readonly what: string
  readonly notes: string
  /** The label of the button that books the time; empty if it is taken. */
  readonly book: string
  readonly open: string
}

/** Returns a strip at the edge of a cancelled lesson's time; hover, click or focus shows the lesson. */
export function freedTime(id: string, text: FreedText): HTMLElement {
  const strip = element('button', 'lesson-cancelled', element('span', 'freed-words', text.who))
  strip.dataset.lesson = id
  strip.ariaLabel = text.label
  const panel = element('div', 'freed-panel', ...linesOf(id, text))
  panel.popover = 'auto'
  const box = element('div', 'freed-time', strip, panel)
  const show = () => {
    if (!strip.isConnected || panel.matches(':popover-open')) return
    panel.showPopover()
    place(panel, strip.getBoundingClientRect())
  }
  const hide = () => {
    if (panel.isConnected && !panel.matches(':focus-within')) panel.hidePopover()
  }
  strip.addEventListener('focus', show)
  strip.addEventListener('click', show)
  box.addEventListener('pointerenter', ({ pointerType }) => pointerType === 'mouse' && show())
  box.addEventListener('pointerleave', ({ pointerType }) => pointerType === 'mouse' && hide())
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && box.contains(relatedTarget))) panel.hidePopover()
  })
  panel.addEventListener('toggle', () => {
    strip.ariaExpanded = String(panel.matches(':popover-open'))
  })
  return box
}

function linesOf(id: string, { who, what, notes, book, open }: FreedText): readonly Node[] {
  const button = (className: string, label: string, name: 'book' | 'open') => {
    const made = element('button', className, label)
    made.dataset[name] = id
    return made
  }
  return [
    element('div', 'freed-who', who),
    element('div', 'freed-what', what),
    ...(notes ? [element('div', 'freed-notes', notes)] : []),
    element(
      'div',
      'freed-buttons',
      ...(book ? [button('freed-button freed-book', book, 'book')] : []),
      button('freed-button', open, 'open'),
    ),
  ]
}

/** Places the panel beside its strip, within the window. */
function place(panel: HTMLElement, strip: DOMRect): void {
  const { offsetWidth, offsetHeight } = panel
  const left = strip.left >= offsetWidth ? strip.left - offsetWidth : strip.right
  panel.style.left = `${Math.max(Math.min(left, innerWidth - offsetWidth), 0)}px`
  panel.style.top = `${Math.max(Math.min(strip.top, innerHeight - offsetHeight), 0)}px`
}
