import { useEffect } from 'react'
import { daysLater, type LocalDate } from '../../domain/local-time.ts'
import { takesText } from '../ui/dom.ts'
import type { BoardSearch } from './board-search.ts'

type Board = {
  readonly date: LocalDate
  readonly today: LocalDate
  readonly view: BoardSearch['view']
  readonly go: (change: Partial<BoardSearch>) => void
  readonly book: () => void
  readonly find: () => void
}

/** Keys of the board, while nothing that takes text has the focus and no dialog is open. */
export function useBoardKeys({ date, today, view, go, book, find }: Board): void {
  useEffect(() => {
    const step = view === 'week' ? 7 : 1
    const keys: Readonly<Record<string, () => void>> = {
      n: () => book(),
      f: () => find(),
      t: () => go({ date: today }),
      d: () => go({ view: undefined }),
      w: () => go({ view: 'week' }),
      ArrowLeft: () => go({ date: daysLater(date, -step) }),
      ArrowRight: () => go({ date: daysLater(date, step) }),
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTaken(event)) return
      const act = hasModifier(event) ? undefined : keys[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [date, today, view, go, book, find])
}

function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey || shiftKey
}

function isTaken({ target, defaultPrevented }: KeyboardEvent): boolean {
  return defaultPrevented || document.querySelector('[role="dialog"]') !== null || takesText(target)
}
