import { useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { localToday } from '../../../domain/time-zone.ts'
import type { BoardSearch } from '../../board/board-search.ts'
import type { DaySheetSearch } from '../../board/day-sheet/day-sheet-search.ts'
import type { BookingStart } from '../../booking/form.ts'
import type { StudentSearch } from '../../people/students/student-search.ts'
import { useSchool } from '../../ui/school.tsx'

export type PageCommands = {
  readonly book: (start: BookingStart) => void
  readonly help: () => void
}

export type Navigation = ReturnType<typeof useNavigation>

/** Returns the current page and functions that open others. The board keeps its day and columns. */
export function useNavigation({ book, help }: PageCommands) {
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
      book: (start: BookingStart) => {
        // The form takes the place of an open card.
        if (board.lesson) void navigate({ to: '/', search: { ...board, lesson: undefined }, replace: true })
        book(start)
      },
      help,
      today,
      isOnBoard,
      /** Whether the page is meant for paper. */
      isPrintable: isOnBoard || pathname === '/day-sheet',
      /** The day shown; today on other pages. */
      date,
      showBoard: (change: Partial<BoardSearch>) =>
        void navigate({ to: '/', search: { ...board, lesson: undefined, ...change } }),
      showPage: (
        to:
          | '/instructors'
          | '/inbox'
          | '/changes'
          | '/minutes'
          | '/numbers'
          | '/settings'
          | '/users'
          | '/today'
          | '/requests'
          | '/account',
      ) => void navigate({ to }),
      showStudents: (search: StudentSearch) => void navigate({ to: '/students', search }),
      addInstructor: () => void navigate({ to: '/instructors', search: { add: true } }),
      showDaySheet: (instructor?: string) =>
        void navigate({ to: '/day-sheet', search: { day: date, instructor } }),
      showAbsence: (instructor?: string) =>
        void navigate({ to: '/absence', search: { day: date, instructor } }),
      showVehicleAbsence: (vehicle: string) =>
        void navigate({ to: '/absence', search: { day: date, vehicle } }),
      closeDay: () => void navigate({ to: '/absence', search: { day: date, closed: true } }),
      showStudent: (student: string) => void navigate({ to: '/students', search: { student } }),
      showInstructor: (instructor: string) => void navigate({ to: '/instructors', search: { instructor } }),
    }
  }, [book, help, navigate, pathname, search, today])
}
