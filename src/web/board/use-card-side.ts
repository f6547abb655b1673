import { useEffect, useLayoutEffect, useState } from 'react'
import { CARD_WIDTH } from '../booking/card-width.ts'

const PHONE = 700

/** The side of the card. `narrow` makes the board leave room, because the column is covered on either side. */
export type CardSide = 'left' | 'right' | 'narrow'

/** Returns the side on which the card does not cover the lesson's column; computed again after rendering. */
export function useCardSide(lessonId: string | undefined, isDrawn: boolean): CardSide {
  const [side, setSide] = useState<CardSide>('right')
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures again once the lesson is drawn
  useLayoutEffect(() => {
    setSide(lessonId === undefined ? 'right' : sideFor(lessonId))
    if (lessonId === undefined) return
    // `narrow` stays: the column has moved into the room that the board has made.
    const again = (found: CardSide) => (found === 'narrow' ? found : sideFor(lessonId))
    const frame = requestAnimationFrame(() => setSide(again))
    return () => cancelAnimationFrame(frame)
  }, [lessonId, isDrawn])
  useEffect(() => {
    if (side === 'narrow' && lessonId !== undefined)
      blockOf(lessonId)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [side, lessonId])
  return side
}

function blockOf(lessonId: string): Element | null {
  return document.querySelector(`[data-lesson="${CSS.escape(lessonId)}"]`)
}

function sideFor(lessonId: string): CardSide {
  const block = blockOf(lessonId)
  const column = block && columnAround(block)
  if (!column || innerWidth <= PHONE || column.right <= innerWidth - CARD_WIDTH) return 'right'
  return column.left >= CARD_WIDTH ? 'left' : 'narrow'
}

/** Returns the column at a block's position: blocks lie over the columns, not in them. */
function columnAround(block: Element): DOMRect | undefined {
  const { left, right } = block.getBoundingClientRect()
  const middle = (left + right) / 2
  const columns = [...document.querySelectorAll('.board-day')].map((one) => one.getBoundingClientRect())
  return columns.find((column) => column.left <= middle && middle < column.right)
}
