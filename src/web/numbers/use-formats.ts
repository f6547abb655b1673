import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSchool } from '../ui/school.tsx'

/** Returns the formats of shares, hours and weeks in the language of the app. */
export function useFormats() {
  const { format } = useSchool()
  const { t } = useTranslation()
  return useMemo(() => {
    const hours = new Intl.NumberFormat(format.locale, { maximumFractionDigits: 0 })
    return {
      percent: format.percent,
      hours: (minutes: number) => t('numbers.hours', { hours: hours.format(minutes / 60) }),
      week: (week: string) => t('numbers.week', { week: Number(week.slice(6)) }),
    }
  }, [format, t])
}
