import LoginForm from './login-form.tsx'
import css from './login-page.module.css'

export default function LoginPage() {
  return (
    <main className={css.page}>
      <LoginForm />
    </main>
  )
}
