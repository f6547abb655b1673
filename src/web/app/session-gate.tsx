import { useQuery } from '@tanstack/react-query'
import { lazy, type PropsWithChildren, Suspense, useEffect } from 'react'
import { bootstrap, isFollower, recordFollower } from '../data/bootstrap.ts'
import { following } from '../data/following.ts'
import { locationList } from '../data/location-list.ts'
import { POLLING } from '../data/polling.ts'
import { ApiProblem } from '../data/send.ts'
import { recordPerson, useSession } from '../data/session.ts'
import { vehicleList } from '../data/vehicles.ts'
import { withTexts } from '../ui/i18n/i18n.ts'
import { SchoolProvider } from '../ui/school.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { useClosedDays } from './use-closed-days.ts'

const LoginPage = lazy(withTexts(() => import('../access/login/login-page.tsx')))
/** Fetches the login shown over a page whose session has expired. */
export const loadOverlay = () => import('../access/login/login-overlay.tsx')
const LoginOverlay = lazy(withTexts(loadOverlay))
const SetUpPage = lazy(withTexts(() => import('../access/account/set-up-page.tsx')))

const NONE: readonly never[] = []

/** Shows the requested page to logged-in users, and the login to others. */
export function SessionGate({ children }: PropsWithChildren) {
  const session = useSession()
  const { data, error, isError, refetch } = useQuery({ ...bootstrap, enabled: session === 'begun' })
  const ofSchool = { enabled: session === 'begun' && data !== undefined, ...(!isFollower(data) && POLLING) }
  const { data: vehicles } = useQuery({ ...vehicleList, ...ofSchool })
  const { data: locations } = useQuery({ ...locationList, ...ofSchool })
  useQuery({ ...following, enabled: session === 'begun' && isFollower(data), notifyOnChangeProps: [] })
  const days = useClosedDays(session === 'begun' && isFollower(data) ? data?.tenant : undefined)
  useEffect(() => {
    if (!data) return
    recordPerson(data.user.id)
    recordFollower(data)
  }, [data])

  if (session === 'begun' && error instanceof ApiProblem && error.is('second_factor_setup_required'))
    return (
      <Suspense>
        <SetUpPage onDone={() => void refetch()} />
      </Suspense>
    )
  const isOver = session === 'expired' || session === 'left'
  if (data && (session === 'begun' || isOver)) {
    return (
      <>
        <SchoolProvider
          bootstrap={data}
          vehicles={vehicles ?? NONE}
          locations={locations ?? NONE}
          days={days}
        >
          {children}
        </SchoolProvider>
        <Suspense>{isOver && <LoginOverlay />}</Suspense>
      </>
    )
  }
  if (session === 'begun') return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  return (
    <Suspense>
      <LoginPage />
    </Suspense>
  )
}
