import { useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { localToday } from '../../../domain/time-zone.ts'
import type { BoardSearch } from '../../board/board-search.ts'
import type { DaySheetSearch } from '../../board/day-sheet/day-sheet-search.ts'
import type { BookingStart } from '../../lessons/booking/form.ts'
import { useSchool } from '../../ui/school.tsx'

/** The functions of the page around the command bar. */
export type Page = {
  readonly book: (start: BookingStart) => void
  readonly help: () => void
}

/** The context of the commands. */
export type Hand = ReturnType<typeof useHand>

/** Returns the clerk's place and the ways to other places. On the board its day and columns stay as they are. */
export function useHand({ book, help }: Page) {
  const { tenant } = useSchool()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const today = localToday(new Date(), tenant.timezone)
  return useMemo(() => {
    const isOnBoard = pathname === '/'
    const board: BoardSearch = isOnBoard ? search : {}
    const sheet: DaySheetSearch = pathname === '/day-sheet' ? search : {}
    const date = board.date ?? sheet.day ?? today
    return {
      book,
      help,
      today,
      isOnBoard,
      /** Whether the page is one for paper. */
      isPrintable: isOnBoard || pathname === '/day-sheet',
      /** The day that is shown; elsewhere today. */
      date,
      showBoard: (change: Partial<BoardSearch>) =>
        void navigate({ to: '/', search: { ...board, lesson: undefined, ...change } }),
      showPage: (to: '/students' | '/instructors' | '/changes' | '/settings') => void navigate({ to }),
      /** Shows the day sheet of one instructor, or of all. */
      showDaySheet: (instructor?: string) =>
        void navigate({ to: '/day-sheet', search: { day: date, instructor } }),
      showStudent: (student: string) => void navigate({ to: '/students', search: { student } }),
      showInstructor: (instructor: string) => void navigate({ to: '/instructors', search: { instructor } }),
    }
  }, [book, help, navigate, pathname, search, today])
}
