import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KnownLink } from '../../data/links.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { momentText } from '../../ui/moment-text.ts'
import { Notice } from '../../ui/notice.tsx'
import { useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import css from './link-panel.module.css'
import { MadeAddress } from './made-address.tsx'
import type { useLink } from './use-link.ts'

type LinkPanelProps = {
  readonly link: ReturnType<typeof useLink>
  readonly intro: string
  readonly isCalendar?: boolean
  /** The choices to make before a link is created. */
  readonly children?: ReactNode
  readonly onMake: () => void
}

/** Shows whether there is a link and since when, its address right after creation, and its buttons. */
export function LinkPanel({ link, intro, isCalendar = false, children, onMake }: LinkPanelProps) {
  const { known, url, error } = link
  if (known.data === undefined)
    return known.isError ? <Failure error={known.error} retry={known.refetch} /> : <Loading />
  return (
    <div className={css.panel}>
      <p className={css.intro}>{intro}</p>
      <LinkUse known={known.data} />
      {url !== undefined && known.data && <MadeAddress key={url} url={url} isCalendar={isCalendar} />}
      {children}
      <LinkButtons link={link} hasLink={known.data !== null} onMake={onMake} />
      <FailureNotice error={error} />
    </div>
  )
}

function LinkUse({ known }: { readonly known: KnownLink | null }) {
  const school = useSchool()
  const { t } = useTranslation()
  if (!known) return <p className={css.known}>{t('links.none')}</p>
  const parts = [
    t('links.since', { moment: momentText(known.created_at, school) }),
    known.used_at === null
      ? t('links.unused')
      : t('links.used', { moment: momentText(known.used_at, school) }),
    ...(known.detail ? [t(`links.${known.detail}`)] : []),
  ]
  return <p className={css.known}>{parts.join(' · ')}</p>
}

type LinkButtonsProps = Pick<LinkPanelProps, 'link' | 'onMake'> & { readonly hasLink: boolean }

/** The buttons of a link. They ask for confirmation before a link that may be in use ends. */
function LinkButtons({ link: { isBusy, end }, hasLink, onMake }: LinkButtonsProps) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<'renew' | 'end'>()
  if (!hasLink) {
    return (
      <Button look="primary" isBusy={isBusy} onClick={onMake}>
        {t('links.make')}
      </Button>
    )
  }
  if (asked === undefined || isBusy) {
    return (
      <div className={css.buttons}>
        <Button isBusy={isBusy} onClick={() => setAsked('renew')}>
          {t('links.renew')}
        </Button>
        <Button look="remove" disabled={isBusy} onClick={() => setAsked('end')}>
          {t('links.end')}
        </Button>
      </div>
    )
  }
  const act = () => {
    setAsked(undefined)
    if (asked === 'end') end()
    else onMake()
  }
  return (
    <>
      <Notice kind="warn" isAnswer>
        {t(asked === 'end' ? 'links.endAsk' : 'links.renewAsk')}
      </Notice>
      <div className={css.buttons}>
        <Button autoFocus onClick={() => setAsked(undefined)}>
          {t('action.cancel')}
        </Button>
        <Button look="danger" onClick={act}>
          {t(asked === 'end' ? 'links.end' : 'links.renew')}
        </Button>
      </div>
    </>
  )
}
