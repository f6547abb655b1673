import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Tenant } from '../../contract/tenant.ts'
import type { SchoolDays } from '../data/school-days.ts'
import { fetchAside, idle } from '../ui/background-code.ts'
import { withTexts } from '../ui/i18n/i18n.ts'

const fetchIt = withTexts(() => import('../data/closed-days.ts'))

/** Returns the holidays and closures of the school; undefined until they are read. The page does not wait for them. */
export function useClosedDays(tenant: Tenant | undefined): SchoolDays | undefined {
  const client = useQueryClient()
  const [known, setKnown] = useState<{ readonly tenant: string; readonly days: SchoolDays }>()
  const { id, country, region, locale, holidays, timezone, busy_calendars } = tenant ?? {}
  useEffect(() => {
    if (!id || !country || !locale || !holidays || !timezone || !busy_calendars) return
    let end: (() => void) | undefined
    let isWanted = true
    const fetched = idle().then(() => fetchAside(fetchIt))
    void fetched.then((code) => {
      if (!isWanted || !code) return
      const place = { id, country, region: region ?? null, locale, holidays, timezone, busy_calendars }
      end = code.watchClosedDays(client, place, (days) => setKnown({ tenant: id, days }))
    })
    return () => {
      isWanted = false
      end?.()
    }
  }, [client, id, country, region, locale, holidays, timezone, busy_calendars])
  return known?.tenant === id ? known?.days : undefined
}
