import type { TFunction } from 'i18next'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LessonType } from '../../../contract/lesson-type.ts'
import { shortTypeName } from '../../lessons/short-types.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useSchool } from '../../ui/school.tsx'
import css from './legend-dialog.module.css'

/** Explains the colours and signs of the board by samples that are drawn like the board itself. */
export default function LegendDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { lessonTypes, tenant } = useSchool()
  return (
    <Dialog title={t('legend.title')} onClose={onClose} size={980}>
      <Part title={t('legend.types')}>
        {lessonTypes
          .filter(({ hidden }) => !hidden)
          .map((type) => (
            <Sign
              key={type.id}
              sample={<TypeSample type={type} locale={tenant.locale} />}
              meaning={type.name}
            />
          ))}
      </Part>
      <Part title={t('legend.lessons')}>
        <LessonSigns t={t} />
      </Part>
      <Part title={t('legend.times')}>
        <TimeSigns t={t} />
      </Part>
      <Part title={t('legend.units')}>
        <UnitSigns t={t} />
      </Part>
    </Dialog>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className={css.heading}>{title}</h3>
      <dl className={css.signs}>{children}</dl>
    </section>
  )
}

function Sign({ sample, meaning }: { sample: ReactNode; meaning: string }) {
  return (
    <div className={css.sign}>
      <dt aria-hidden="true">{sample}</dt>
      <dd>{meaning}</dd>
    </div>
  )
}

function TypeSample({ type, locale }: { type: LessonType; locale: string }) {
  return (
    <Block style={{ '--lesson': type.color } as CSSProperties}>
      <span className="lesson-short">{shortTypeName(type, locale)}</span>
    </Block>
  )
}

type BlockProps = {
  readonly className?: string
  readonly style?: CSSProperties
  readonly children?: ReactNode
}

/** Shows a block like those of lessons. */
function Block({ className = '', style, children }: BlockProps) {
  const plain = { '--lesson': 'var(--primary)' } as CSSProperties
  return (
    <div className={`board-event ${className} ${css.block}`} style={style ?? plain}>
      <div className="block">{children}</div>
    </div>
  )
}

function LessonSigns({ t }: { t: TFunction }) {
  return (
    <>
      <Sign sample={<Block className="lesson-completed" />} meaning={t('legend.completed')} />
      <Sign sample={<Block className="lesson-no_show" />} meaning={t('legend.noShow')} />
      <Sign
        sample={
          <div className={css.column}>
            <span className={`lesson-cancelled ${css.strip}`} />
          </div>
        }
        meaning={t('legend.cancelled')}
      />
      <Sign sample={<Icon name="note" />} meaning={t('legend.noted')} />
      <Sign
        sample={
          <span className={css.alert}>
            <Icon name="alert" />
          </span>
        }
        meaning={t('legend.mark')}
      />
      <Sign sample={<Block className="slot" />} meaning={t('legend.offered')} />
      <Sign sample={<div className={css.landing} />} meaning={t('legend.landing')} />
      <Sign
        sample={
          <div className="is-refused">
            <Block className="board-preview" />
          </div>
        }
        meaning={t('legend.refused')}
      />
    </>
  )
}

const TIMES = [
  ['closed', 'legend.outside'],
  ['vacation', 'legend.away'],
  ['holiday', 'legend.holiday'],
  ['dark-time', 'legend.dark'],
] as const

function TimeSigns({ t }: { t: TFunction }) {
  return (
    <>
      {TIMES.map(([className, meaning]) => (
        <Sign
          key={className}
          sample={<div className={`board-background ${className} ${css.ground}`} />}
          meaning={t(meaning)}
        />
      ))}
      <Sign sample={<div className={css.now} />} meaning={t('legend.now')} />
    </>
  )
}

const LOADS = [
  ['meter-below', '60%', 'legend.below'],
  ['meter-full', '100%', 'legend.full'],
  ['meter-over', '100%', 'legend.over'],
] as const

function UnitSigns({ t }: { t: TFunction }) {
  return LOADS.map(([className, inlineSize, meaning]) => (
    <Sign
      key={className}
      sample={
        <div className={`meter ${className}`}>
          <span className="meter-track">
            <span className="meter-bar" style={{ inlineSize }} />
          </span>
        </div>
      }
      meaning={t(meaning)}
    />
  ))
}
