import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import page from '../ui/page.module.css'
import { useSchool } from '../ui/school.tsx'
import css from './absence-page.module.css'
import { datesText } from './absence-texts.ts'
import { callsText } from './calls.tsx'
import { DecidedList } from './decided-list.tsx'
import type { AbsenceDraft, AbsenceDraftProps, SentAbsence } from './draft.ts'
import type { RecordingState } from './use-recording.ts'

type UnconfirmedAbsenceProps = Pick<AbsenceDraftProps, 'cause' | 'onChange'> & {
  readonly draft: AbsenceDraft
  readonly sent: SentAbsence
  readonly recording: RecordingState
}

/** An absence that may have been stored, with the button that sends the same request again. */
export function UnconfirmedAbsence({ cause, draft, sent, onChange, recording }: UnconfirmedAbsenceProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const { send, rethink, failure, isBusy } = recording
  const lessons = sent.lessons.map(({ lesson }) => lesson)
  return (
    <div className={css.handling}>
      <div className={css.list}>
        {!isBusy && (
          <Notice
            kind="warn"
            title={t(`absencePage.of.${cause.kind}.unconfirmed`, {
              name: cause.name,
              dates: datesText(draft.period, school),
            })}
            isAnswer
          >
            {failure?.texts.map((text) => (
              <p key={text}>{text}</p>
            ))}
            <p>{t('absencePage.again', { button: t(`absencePage.of.${cause.kind}.apply`) })}</p>
          </Notice>
        )}
        <DecidedList lessons={sent.lessons} draft={draft} onChange={onChange} />
      </div>
      <div className={css.foot}>
        <span className={page.dimmed} role="status">
          {callsText(lessons, draft.called, t)}
        </span>
        <Button disabled={isBusy} onClick={() => rethink(sent)}>
          {t('absencePage.rethink')}
        </Button>
        <Button look="primary" isBusy={isBusy} onClick={() => void send(sent)}>
          {t(`absencePage.of.${cause.kind}.apply`)}
        </Button>
      </div>
    </div>
  )
}
