/** The longest time between the clicks of a double click, in milliseconds. */
const MAX_MS = 500
const MAX_PIXELS = 5

type PointerPress = { readonly on: Element; readonly x: number; readonly y: number; readonly at: number }

let last: PointerPress | undefined
let isStray = false

/** Ignores the second click of a double click if its target has been removed: it would hit another element. */
function notice({ target, clientX: x, clientY: y, timeStamp: at }: PointerEvent): void {
  const on = target instanceof Element ? (target.closest('button, a, label, [data-lesson]') ?? target) : null
  const isSecond =
    last !== undefined &&
    at - last.at < MAX_MS &&
    Math.abs(x - last.x) <= MAX_PIXELS &&
    Math.abs(y - last.y) <= MAX_PIXELS
  isStray = isSecond && on !== null && !last?.on.contains(on) && !on.contains(last?.on ?? null)
  if (!isStray) last = on === null ? undefined : { on, x, y, at }
}

function blockStrayClick(event: MouseEvent): void {
  if (event.type === 'pointerdown') notice(event as PointerEvent)
  const isByKey = event.type === 'click' && event.detail === 0
  if (!isStray || isByKey) return
  event.stopImmediatePropagation()
  event.preventDefault()
}

/** Forgets the last click: a click after typing is not part of a double click. */
function forget(): void {
  last = undefined
}

for (const type of ['keydown', 'input'] as const) window.addEventListener(type, forget, true)
for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'] as const)
  window.addEventListener(type, blockStrayClick, true)
