import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FeedDetail } from '../../../contract/link.ts'
import { feedPath } from '../../data/links.ts'
import { OptionSelect } from '../../ui/option-select.tsx'
import css from './link-panel.module.css'
import { LinkPanel } from './link-panel.tsx'
import { useLink } from './use-link.ts'

/** The details to choose from. The first contains the least that still distinguishes two lessons. */
const DETAILS: readonly FeedDetail[] = ['lesson', 'busy', 'full']

/** A link to an instructor's lessons for their own calendar. */
export function CalendarFeed({ instructorId }: { readonly instructorId: string }) {
  const { t } = useTranslation()
  const link = useLink(feedPath(instructorId))
  const [chosen, setChosen] = useState<FeedDetail>()
  const detail = chosen ?? link.known.data?.detail ?? 'lesson'
  return (
    <LinkPanel link={link} intro={t('links.calendarIntro')} isCalendar onMake={() => link.make(detail)}>
      {/* Not a field of a surrounding form. */}
      <div className={css.detail} onInput={(event) => event.stopPropagation()}>
        <span aria-hidden>{t('links.detail')}</span>
        <OptionSelect
          label={t('links.detail')}
          value={detail}
          options={DETAILS.map((one) => [one, t(`links.${one}`)] as const)}
          onChange={(value) => setChosen(DETAILS.find((one) => one === value))}
        />
      </div>
    </LinkPanel>
  )
}
