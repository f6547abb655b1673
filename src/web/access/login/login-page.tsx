import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { SetupState } from '../../../contract/setup.ts'
import { send } from '../../data/send.ts'
import LoginForm from './login-form.tsx'
import css from './login-page.module.css'

export default function LoginPage() {
  useSetUpFirst()
  return (
    <main className={css.page}>
      <LoginForm />
    </main>
  )
}

function useSetUpFirst(): void {
  const navigate = useNavigate()
  useEffect(() => {
    const lookUp = async () => {
      const { is_open }: SetupState = await (await send('/setup')).json()
      if (is_open) await navigate({ to: '/setup', replace: true })
    }
    // Ignored: the login itself will report the failure.
    lookUp().catch(() => undefined)
  }, [navigate])
}
