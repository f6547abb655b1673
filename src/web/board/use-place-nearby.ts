import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { LessonDraft } from '../lessons/verdict.ts'
import { blockOf } from './block-of.ts'

/** The distance in pixels at which the pointer or the finger does not cover the text. */
const AWAY = { mouse: 18, touch: 56 } as const
const MARGIN = 8

type Point = { readonly x: number; readonly y: number; readonly away: number }

/** Keeps an element beside the pointer or the keyboard-moved block, within the window. */
export function usePlaceNearby(
  held: { readonly draft: LessonDraft } | undefined,
): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null)
  const pointer = useRef<Point>(undefined)

  useEffect(() => {
    const follow = ({ clientX, clientY, pointerType }: PointerEvent) => {
      pointer.current = { x: clientX, y: clientY, away: pointerType === 'touch' ? AWAY.touch : AWAY.mouse }
      if (element.current) place(element.current, pointer.current)
    }
    const forget = () => {
      pointer.current = undefined
    }
    window.addEventListener('pointermove', follow, true)
    window.addEventListener('keydown', forget, true)
    return () => {
      window.removeEventListener('pointermove', follow, true)
      window.removeEventListener('keydown', forget, true)
    }
  }, [])

  useLayoutEffect(() => {
    const point = pointer.current ?? pointOf(held?.draft.id)
    if (element.current && point) place(element.current, point)
  }, [held])

  return element
}

/** Returns the upper right corner of a block; undefined if it is not drawn. */
function pointOf(id: string | undefined): Point | undefined {
  const block = id === undefined ? null : blockOf(id)
  if (!block) return undefined
  const { right, top } = block.getBoundingClientRect()
  return { x: right, y: top, away: MARGIN }
}

/** Places the element below and right of the point, or above and left of it if there is no room. */
function place(element: HTMLElement, { x, y, away }: Point): void {
  const { offsetWidth: width, offsetHeight: height } = element
  const left = x + away + width + MARGIN <= innerWidth ? x + away : x - away - width
  const top = y + away + height + MARGIN <= innerHeight ? y + away : y - away - height
  element.style.left = `${Math.max(Math.min(left, innerWidth - width - MARGIN), MARGIN)}px`
  element.style.top = `${Math.max(Math.min(top, innerHeight - height - MARGIN), MARGIN)}px`
}
