import { type ReactNode, useEffect, useRef } from 'react'
import { Icon, type IconName } from './icon.tsx'
import css from './notice.module.css'

type Kind = 'open' | 'good' | 'warn' | 'bad'

const ICONS: Readonly<Record<Kind, IconName>> = { open: 'clock', good: 'check', warn: 'alert', bad: 'alert' }

type NoticeProps = {
  readonly kind: Kind
  readonly title?: string | undefined
  /** Whether it is the response to an action, to be read out and scrolled into view. */
  readonly isAnswer?: boolean
  readonly children: ReactNode
}

export function Notice({ kind, title, isAnswer = false, children }: NoticeProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isAnswer) box.current?.scrollIntoView({ block: 'nearest' })
  }, [isAnswer])
  return (
    <div className={css.notice} data-kind={kind} role={isAnswer ? 'alert' : 'status'} ref={box}>
      <Icon name={ICONS[kind]} size={20} />
      <div className={css.body}>
        {title !== undefined && <strong>{title}</strong>}
        {typeof children === 'string' ? <p>{children}</p> : children}
      </div>
    </div>
  )
}
