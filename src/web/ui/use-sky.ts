import { useEffect, useMemo, useState } from 'react'
import type { Sky, skyOf } from '../../domain/daylight.ts'
import { useSchool } from './school.tsx'

let load: Promise<{ readonly skyOf: typeof skyOf }> | undefined

/** Returns the sky above the school; undefined until it is loaded, which nothing waits for. */
export function useSky(): Sky | undefined {
  const { latitude, longitude, timezone } = useSchool().tenant
  const [compute, setCompute] = useState<{ readonly skyOf: typeof skyOf }>()
  useEffect(() => {
    load ??= import('../../domain/daylight.ts')
    void load.then(setCompute, () => {
      load = undefined
    })
  }, [])
  return useMemo(
    () => compute?.skyOf({ latitude, longitude, timezone }),
    [compute, latitude, longitude, timezone],
  )
}
