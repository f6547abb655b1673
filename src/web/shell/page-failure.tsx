import { Failure } from '../ui/states.tsx'

/** A part of the app that cannot be fetched, or fails: the service may have brought another version meanwhile. */
export function PageFailure({ error }: { error: unknown }) {
  return <Failure error={error} retry={() => window.location.reload()} />
}
