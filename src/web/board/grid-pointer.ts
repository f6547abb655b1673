import type { PointerEvent as ReactPointerEvent, RefObject } from 'react'
import type { Interval } from '../../domain/interval.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import type { GridColumn, GridEvent } from './grid-event.ts'
import {
  emptyTimeAt,
  type MovedTo,
  type Point,
  previewOf,
  type Spot,
  type Surface,
  stepAt,
  viewOf,
} from './pointer-places.ts'

/** The distance in pixels from which the mouse drags, and the press in milliseconds from which a finger does. */
const DRAG_FROM = 5
const LONG_PRESS_MS = 400

/** The bit of the left button among the pressed ones. */
const LEFT_BUTTON = 1

/** The callbacks of a grid. */
export type GridActs = {
  /** Called at every new place while a lesson is held. */
  readonly look: (lessonId: string, to: MovedTo) => void
  /** Called when the lesson is released. */
  readonly drop: (to: MovedTo) => void
  /** Called when the held lesson goes back, and once the pointer is released after that. */
  readonly callOff: () => void
  /** Called with a clicked time, or a drawn one with its end. */
  readonly draw: (column: GridColumn, start_at: LocalDateTime, end_at?: LocalDateTime) => void
}

export type Shown = {
  readonly columns: readonly GridColumn[]
  readonly events: readonly GridEvent[]
  /** The hours shown, in minutes of the day. */
  readonly hours: Interval
}

type Now = { readonly shown: Shown; readonly acts: GridActs; readonly surface: Surface }

/** An action from the press of a pointer to its release. */
type Action = {
  readonly kind: 'move' | 'resize' | 'draw'
  readonly pointerId: number
  readonly box: HTMLElement | undefined
  readonly event: GridEvent
  readonly from: Point
  readonly origin: Spot
  to: Point
  /** `pressed` until the pointer has moved far or a finger has pressed long enough. */
  state: 'pressed' | 'held' | 'called_off'
  timer: ReturnType<typeof setTimeout> | undefined
  moved: MovedTo | undefined
}

/** Moves and lengthens lessons, and draws times, by mouse and by touch. */
export class GridPointer {
  readonly #main: RefObject<HTMLElement | null>
  readonly #now: () => Now
  readonly #setPreview: (preview: GridEvent | undefined) => void
  #action: Action | undefined
  #hasDrawn = false

  constructor(
    main: RefObject<HTMLElement | null>,
    now: () => Now,
    setPreview: (preview: GridEvent | undefined) => void,
  ) {
    this.#main = main
    this.#now = now
    this.#setPreview = setPreview
  }

  /** Removes the drawn time. */
  readonly clear = (): void => {
    if (this.#hasDrawn) this.#setPreview(undefined)
    this.#hasDrawn = false
  }

  readonly onPointerDown = (event: ReactPointerEvent): void => {
    const main = this.#main.current
    // The release of the last action was lost.
    if (this.#action?.state === 'called_off') this.#end()
    if (this.#action || !isMeant(event) || !main || !(event.target instanceof Element)) return
    const from = { x: event.clientX, y: event.clientY }
    const origin = this.#spotAt(from)
    const box = event.target.closest<HTMLElement>('[data-movable]') ?? undefined
    const isDay = event.target.matches('.board-day')
    if (!origin || !(box || isDay)) return
    const subject = box
      ? this.#now().shown.events.find(({ id }) => id === box.dataset.movable)
      : emptyTimeAt(origin)
    if (!subject) return
    getSelection()?.removeAllRanges()
    const kind = box ? (event.target.matches('.resizer') ? 'resize' : 'move') : 'draw'
    const timer = event.pointerType === 'mouse' ? undefined : setTimeout(this.#hold, LONG_PRESS_MS)
    const taken = { kind, box, event: subject, from, origin, to: from, timer } as const
    this.#action = { ...taken, pointerId: event.pointerId, state: 'pressed', moved: undefined }
  }

  /** Follows pointers outside of the grid, too. Returns the function that stops it. */
  listen(): () => void {
    const ends = new AbortController()
    const { signal } = ends
    const whileHeld = (event: Event) => this.#action?.state === 'held' && event.preventDefault()
    window.addEventListener('pointermove', this.#onPointerMove, { signal })
    window.addEventListener('pointerup', this.#onPointerUp, { signal })
    window.addEventListener('pointercancel', this.#onPointerCancel, { signal })
    // A system dialog or another window may get the release instead of this one.
    window.addEventListener('blur', this.#onBlur, { signal })
    // In the capture phase, before the handler of a form that Escape would close.
    window.addEventListener('keydown', this.#onKeyDown, { signal, capture: true })
    this.#main.current?.addEventListener('scroll', this.#follow, { signal })
    // A held lesson must neither scroll the page nor select text nor open a menu.
    window.addEventListener('touchmove', whileHeld, { signal, passive: false })
    window.addEventListener('selectstart', (event) => this.#action && event.preventDefault(), { signal })
    window.addEventListener('contextmenu', this.#onContextMenu, { signal })
    return () => {
      ends.abort()
      this.#callOff()
    }
  }

  readonly #onPointerMove = ({ pointerId, clientX, clientY, pointerType, buttons }: PointerEvent): void => {
    const action = this.#action
    if (action?.pointerId !== pointerId) return
    // The button was released without an event, for example in a menu.
    if (pointerType === 'mouse' && (buttons & LEFT_BUTTON) === 0) {
      this.#callOff()
      return
    }
    action.to = { x: clientX, y: clientY }
    const distance = Math.hypot(clientX - action.from.x, clientY - action.from.y)
    if (action.state === 'pressed' && pointerType === 'mouse' && distance >= DRAG_FROM) this.#hold()
    else this.#follow()
  }

  readonly #onPointerUp = ({ pointerId, target }: PointerEvent): void => {
    const action = this.#action
    // A click elsewhere on the board, for example on an offered time, removes the drawn one.
    if (!action && target instanceof Node && this.#main.current?.contains(target)) this.clear()
    if (action?.pointerId !== pointerId) return
    const { kind, event, origin, state, moved } = action
    const { acts } = this.#now()
    this.clear()
    this.#end(kind === 'draw' && state === 'held')
    if (state === 'called_off') acts.callOff()
    else if (kind === 'draw') acts.draw(origin.column, moved?.start_at ?? event.start_at, moved?.end_at)
    else if (moved) acts.drop(moved)
  }

  readonly #onPointerCancel = ({ pointerId }: PointerEvent): void => {
    if (this.#action?.pointerId === pointerId) this.#callOff()
  }

  /** Ends the action without an effect. */
  readonly #callOff = (): void => {
    if (this.#action?.state === 'held') this.#now().acts.callOff()
    this.#end()
  }

  /** Prevents the context menu during a long press or a drag. Any other ends the action, because it gets the release. */
  readonly #onContextMenu = (event: Event): void => {
    if (this.#action?.timer || this.#action?.state === 'held') event.preventDefault()
    else this.#end()
  }

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || this.#action?.state !== 'held') return
    event.stopPropagation()
    this.#putBack(this.#action)
  }

  readonly #onBlur = (): void => {
    if (this.#action?.state === 'held') this.#putBack(this.#action)
    else this.#end()
  }

  /** Undoes what an action shows, but waits for the release of the pointer. */
  #putBack(action: Action): void {
    action.state = 'called_off'
    this.#release(action)
    this.#setPreview(undefined)
    this.#now().acts.callOff()
  }

  readonly #hold = (): void => {
    const action = this.#action
    if (!action) return
    this.clear()
    action.state = 'held'
    action.box?.classList.add('is-taken')
    this.#main.current?.setAttribute('data-doing', action.kind)
    this.#follow()
    this.#scrollAtEdges(action)
  }

  /** Shows the event where the pointer is. */
  readonly #follow = (): void => {
    const action = this.#action
    const spot = action?.state === 'held' && this.#spotAt(action.to)
    if (!action || !spot) return
    const moved = this.#now().surface.movedTo(action, spot)
    if (JSON.stringify(moved) === JSON.stringify(action.moved)) return
    action.moved = moved
    const { event, kind } = action
    this.#setPreview(previewOf(action, moved))
    if (kind !== 'draw') this.#now().acts.look(event.id, moved)
  }

  #end(keepsPreview = false): void {
    const action = this.#action
    this.#action = undefined
    if (!action) return
    this.#release(action)
    this.#hasDrawn = keepsPreview
    if (!keepsPreview) this.#setPreview(undefined)
  }

  #release({ box, timer }: Action): void {
    clearTimeout(timer)
    box?.classList.remove('is-taken')
    this.#main.current?.removeAttribute('data-doing')
  }

  /** Scrolls while the pointer is held near an edge of the board. */
  #scrollAtEdges(action: Action): void {
    const main = this.#main.current
    if (!main || this.#action !== action || action.state !== 'held') return
    const { left, right, top, bottom } = viewOf(main)
    const { x, y } = action.to
    const [across, down] = [stepAt(x, left, right), stepAt(y, top, bottom)]
    if (across !== 0 || down !== 0) main.scrollBy(across, down)
    requestAnimationFrame(() => this.#scrollAtEdges(action))
  }

  #spotAt(point: Point): Spot | undefined {
    const main = this.#main.current
    if (!main) return undefined
    const { shown, surface } = this.#now()
    return surface.spotAt(point, main, shown)
  }
}

/** Whether a press may begin an action: of a finger, a pen, or the left button alone. */
function isMeant({ isPrimary, pointerType, buttons }: ReactPointerEvent): boolean {
  return isPrimary && (pointerType !== 'mouse' || buttons === LEFT_BUTTON)
}
