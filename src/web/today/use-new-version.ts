import { registerSW } from 'virtual:pwa-register'
import { useEffect, useState } from 'react'

/** Has the browser keep the app, where it can; gives what brings a newer one once there is one. */
export function useNewVersion(): (() => void) | undefined {
  const [renew, setRenew] = useState<() => void>()
  useEffect(() => {
    const update = registerSW({ onNeedRefresh: () => setRenew(() => () => void update(true)) })
  }, [])
  return renew
}
