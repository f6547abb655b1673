import { useTranslation } from 'react-i18next'
import type { Cancellation } from '../../../domain/cancellation.ts'
import { cancellationWords } from '../../ui/cancellation-texts.ts'
import css from '../../ui/facts.module.css'
import { useSchool } from '../../ui/school.tsx'

/** Shows party, time, reason and fee of a cancellation; nothing of one by the school without reason, note and fee. */
export function CancellationFacts({ cancellation }: { readonly cancellation: Cancellation }) {
  const { by, reason, note, charged } = cancellation
  const school = useSchool()
  const { t } = useTranslation()
  if (by === 'school' && !reason && !note && !charged) return null
  const [words, fee] = cancellationWords(cancellation, school, t)
  return (
    <>
      <dt>{t('cancellation.one')}</dt>
      <dd>
        {words}
        <br />
        <span className={css.dimmed}>{fee}</span>
        {note && <div className={css.notes}>{note}</div>}
      </dd>
    </>
  )
}
