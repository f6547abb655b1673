import { type PointerEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type DrawnLines, MAX_STROKES_BYTES } from '../../domain/signatures.ts'
import { Button } from '../ui/button.tsx'
import css from './signature-pad.module.css'

type SignaturePadProps = {
  readonly lines: DrawnLines
  readonly onDraw: (lines: DrawnLines) => void
}

type Point = DrawnLines[number][number]

/** The pixels between two recorded points. */
const STEP = 2

/** A surface to sign on with a finger, a pen or the mouse. */
export function SignaturePad({ lines, onDraw }: SignaturePadProps) {
  const { t } = useTranslation()
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawn = useRef<Point[]>(undefined)
  const began = useRef<number>(undefined)
  useEffect(() => paint(canvas.current, lines), [lines])
  const pointOf = ({ nativeEvent: { offsetX, offsetY, timeStamp } }: PointerEvent): Point => {
    began.current ??= timeStamp
    return [Math.round(offsetX), Math.round(offsetY), Math.round(timeStamp - began.current)]
  }
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    if (drawn.current || isFull(lines)) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drawn.current = [pointOf(event)]
  }
  const go = (event: PointerEvent) => {
    const points = drawn.current
    const [last, next] = [points?.at(-1), pointOf(event)]
    if (!points || !last || Math.hypot(next[0] - last[0], next[1] - last[1]) < STEP) return
    points.push(next)
    paint(canvas.current, [...lines, points])
    if (isFull([...lines, points])) end()
  }
  const end = () => {
    if (drawn.current) onDraw([...lines, drawn.current])
    drawn.current = undefined
  }
  return (
    <div className={css.pad}>
      <canvas
        ref={canvas}
        className={css.canvas}
        aria-label={t('sign.pad')}
        onPointerDown={begin}
        onPointerMove={go}
        onPointerUp={end}
        onPointerCancel={end}
      />
      {lines.length > 0 && (
        <Button className={css.clear} onClick={() => onDraw([])}>
          {t('sign.clear')}
        </Button>
      )}
    </div>
  )
}

/** Whether hardly any more points would be accepted. */
function isFull(lines: DrawnLines): boolean {
  return JSON.stringify(lines).length > MAX_STROKES_BYTES - 2_000
}

function paint(canvas: HTMLCanvasElement | null, lines: DrawnLines): void {
  const context = canvas?.getContext('2d')
  if (!canvas || !context) return
  const { clientWidth, clientHeight } = canvas
  const scale = window.devicePixelRatio
  canvas.width = clientWidth * scale
  canvas.height = clientHeight * scale
  context.scale(scale, scale)
  Object.assign(context, { lineWidth: 2.5, lineCap: 'round', lineJoin: 'round' })
  context.strokeStyle = getComputedStyle(canvas).color
  for (const [first, ...others] of lines) {
    if (!first) continue
    context.beginPath()
    context.moveTo(first[0], first[1])
    context.lineTo(first[0] + 0.1, first[1])
    for (const [x, y] of others) context.lineTo(x, y)
    context.stroke()
  }
}
