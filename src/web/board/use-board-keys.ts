import { daysLater, type LocalDate } from '../../domain/local-time.ts'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import type { BoardSearch } from './board-search.ts'

type Board = {
  readonly date: LocalDate
  readonly today: LocalDate
  readonly view: BoardSearch['view']
  readonly go: (change: Partial<BoardSearch>) => void
  readonly book: () => void
  readonly find: () => void
}

export function useBoardKeys({ date, today, view, go, book, find }: Board): void {
  const step = view === 'week' ? 7 : 1
  useShortcuts({
    book: () => book(),
    find,
    today: () => go({ date: today }),
    day: () => go({ view: undefined }),
    week: () => go({ view: 'week' }),
    earlier: () => go({ date: daysLater(date, -step) }),
    later: () => go({ date: daysLater(date, step) }),
  })
}
