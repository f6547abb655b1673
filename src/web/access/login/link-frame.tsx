import { Link } from '@tanstack/react-router'
import { type FormEvent, type PropsWithChildren, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import icon from '../../icon.svg'
import { Mantine } from '../../ui/dialogs/mantine.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import css from './login-page.module.css'

type LinkFrameProps = PropsWithChildren<{
  readonly title: string
  readonly isBusy?: boolean
  readonly onSubmit?: () => void
}>

export function LinkFrame({ title, isBusy = false, onSubmit, children }: LinkFrameProps) {
  const { t } = useTranslation()
  const isSent = useRef(false)
  isSent.current = isBusy
  const send = (event: FormEvent) => {
    event.preventDefault()
    // A second click may be queued before the next render.
    if (isSent.current) return
    isSent.current = true
    onSubmit?.()
  }
  return (
    <main className={css.page}>
      <form className={css.form} onSubmit={send}>
        <img className={css.logo} src={icon} alt="" />
        <PageHeading className={css.title} title={title} />
        <Mantine>{children}</Mantine>
        <Link to="/" replace>
          {t('access.toLogin')}
        </Link>
      </form>
    </main>
  )
}

/** The notice for any invalid link: the service does not reveal the reason. */
export function InvalidLinkNotice() {
  const { t } = useTranslation()
  return (
    <LinkFrame title={t('app.name')}>
      <Notice kind="warn" isAnswer>
        {t('access.gone')}
      </Notice>
    </LinkFrame>
  )
}
