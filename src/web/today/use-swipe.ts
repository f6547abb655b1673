import { type TouchEvent, useRef } from 'react'
import { isTextInput } from '../ui/dom.ts'

/** The minimum length and maximum slope of a swipe. */
const SHORTEST_PX = 60
const STEEPEST = 0.5

/** Returns the touch handlers that turn a page: `onTurn` gets 1 for the next and -1 for the previous. */
export function useSwipe(onTurn: (days: 1 | -1) => void) {
  const began = useRef<{ readonly x: number; readonly y: number }>(undefined)
  return {
    onTouchStart: ({ touches, target }: TouchEvent) => {
      const touch = touches[0]
      const isOne = touch && touches.length === 1 && !isTextInput(target)
      began.current = isOne ? { x: touch.clientX, y: touch.clientY } : undefined
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0]
      if (!began.current || !touch) return
      const across = touch.clientX - began.current.x
      const down = touch.clientY - began.current.y
      began.current = undefined
      if (Math.abs(across) < SHORTEST_PX || Math.abs(down) > Math.abs(across) * STEEPEST) return
      onTurn(across < 0 ? 1 : -1)
    },
  }
}
