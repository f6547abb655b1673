import { DatesProvider } from '@mantine/dates'
import '@mantine/dates/styles.css'
import 'dayjs/locale/de'
import 'dayjs/locale/en-gb'
import type { PropsWithChildren } from 'react'
import { useTranslation } from 'react-i18next'

/** Calendars in the reader's language, weeks from Monday. */
export function Dates({ children }: PropsWithChildren) {
  const { i18n } = useTranslation()
  const locale = i18n.language === 'de' ? 'de' : 'en-gb'
  return <DatesProvider settings={{ locale, firstDayOfWeek: 1, weekendDays: [0] }}>{children}</DatesProvider>
}
