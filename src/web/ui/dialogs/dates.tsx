import { type CalendarAriaLabels, DatesProvider } from '@mantine/dates'
import 'dayjs/locale/de'
import 'dayjs/locale/en-gb'
import type { PropsWithChildren } from 'react'
import { useTranslation } from 'react-i18next'
import type { LocalDate } from '../../../domain/local-time.ts'
import { useSchool } from '../school.tsx'
import './dates.css'

/** Provides calendars in the reader's language, with weeks from Monday. */
export function Dates({ children }: PropsWithChildren) {
  const { i18n } = useTranslation()
  const locale = i18n.language === 'de' ? 'de' : 'en-gb'
  return <DatesProvider settings={{ locale, firstDayOfWeek: 1, weekendDays: [0] }}>{children}</DatesProvider>
}

/** Returns the labels of a calendar's arrows. */
export function useCalendarLabels(): CalendarAriaLabels {
  const { t } = useTranslation()
  return {
    previousMonth: t('calendar.previousMonth'),
    nextMonth: t('calendar.nextMonth'),
    previousYear: t('calendar.previousYear'),
    nextYear: t('calendar.nextYear'),
    previousDecade: t('calendar.previousDecade'),
    nextDecade: t('calendar.nextDecade'),
  }
}

/** Returns the function that marks and names holidays and closures in a calendar. */
export function useDayMarks() {
  const { days } = useSchool()
  const { t } = useTranslation()
  return (date: LocalDate) => {
    const special = days?.on(date)
    if (!special) return {}
    const title = special.name ?? t('board.closed')
    return { title, 'data-special': special.isClosed ? 'closed' : 'holiday' }
  }
}
