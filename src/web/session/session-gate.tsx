import { useQuery } from '@tanstack/react-query'
import { lazy, type PropsWithChildren, Suspense } from 'react'
import { bootstrap } from '../api/bootstrap.ts'
import { SchoolProvider } from '../ui/school.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { useSession } from './session.ts'

const LoginPage = lazy(() => import('./login-page.tsx'))

/** Shows the app to who is logged in, at the address that was asked for; to anybody else the way in. */
export function SessionGate({ children }: PropsWithChildren) {
  const session = useSession()
  const { data, error, isError, refetch } = useQuery({ ...bootstrap, enabled: session === 'begun' })
  if (session !== 'begun') {
    return (
      <Suspense>
        <LoginPage />
      </Suspense>
    )
  }
  if (data) return <SchoolProvider bootstrap={data}>{children}</SchoolProvider>
  return isError ? <Failure error={error} retry={refetch} /> : <Loading />
}
