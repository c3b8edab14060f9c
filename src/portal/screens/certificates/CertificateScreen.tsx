import { useState } from 'react'
import { Link } from 'wouter'
import { inMillOrder, usualDecimals } from '../../../domain/certificates/elements.ts'
import type { Certificate } from '../../api/generated.ts'
import { useList, useRecord } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { BarMark } from '../../kit/BarMark.tsx'
import { Button } from '../../kit/Button.tsx'
import { useBarName } from '../../kit/barName.ts'
import { CertificateMark } from '../../kit/CertificateMark.tsx'
import { LabelsButton } from '../../kit/Labels.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Facts, Page, Section } from '../../kit/Page.tsx'
import { PresentSection } from '../../kit/PresentSection.tsx'
import { BarVerdict, BlockMark } from '../../kit/Verdict.tsx'
import { type TextName, useTexts } from '../../texts/texts.ts'
import { RecordHistory } from '../tags/subjects/RecordHistory.tsx'
import { SubjectFindings } from '../tags/subjects/SubjectFindings.tsx'
import { Limits, SubjectRules, useBrokenLimits } from '../tags/subjects/SubjectRules.tsx'
import { SubjectTags } from '../tags/subjects/SubjectTags.tsx'
import { CorrectCertificate } from './CorrectCertificate.tsx'
import { Documents } from './Documents.tsx'
import { type Deciding, DecisionDialog, useDecisions } from './decisions.tsx'
import { RecallTree } from './RecallTree.tsx'
import { StockSection } from './StockSection.tsx'

/** One mill certificate: its values, its tags, what rules found, and where it is used. */
export function CertificateScreen({ millCertificationId }: { readonly millCertificationId: string }) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const [isCorrecting, setIsCorrecting] = useState(false)
  const { data, error, refetch } = useRecord('getCertificate', { params: { companyId, millCertificationId } })
  const back = { href: pathIn(companyId, '/certificates'), text: t('certificates') }
  if (!data)
    return (
      <Page title={error ? t('notFound') : t('certificate')} back={back}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />}
      </Page>
    )
  const certificate = data.data
  if (isCorrecting)
    return (
      <Page title={t('correctValue', { name: nameOf(certificate) })} back={back} isWide>
        <CorrectCertificate certificate={certificate} onClose={() => setIsCorrecting(false)} />
      </Page>
    )
  return (
    <Page
      title={nameOf(certificate)}
      back={back}
      marks={
        <>
          <BlockMark findings={certificate.findings} />
          <CertificateMark status={certificate.status} />
        </>
      }
      actions={
        <>
          <LabelsButton of={{ millCertificationId }} />
          {may('patchCertificate') && certificate.status !== 'Voided' && (
            <Button onPress={() => setIsCorrecting(true)}>{t('correct')}</Button>
          )}
          <Decisions certificate={certificate} />
        </>
      }
    >
      <SubjectFindings findings={certificate.findings ?? []} />
      <Content certificate={certificate} />
      <div className="columns">
        <div className="stack">
          <Chemistry certificate={certificate} />
          <Mechanical certificate={certificate} />
        </div>
        <Documents certificate={certificate} />
      </div>
      <div className="columns">
        <SubjectTags family="millcert" subjectId={millCertificationId} />
        <Usage millCertificationId={millCertificationId} />
      </div>
      <StockSection stock={certificate.stock} />
      <PresentSection title={t('recall')}>
        <RecallTree of={{ heatNumber: certificate.heatNumber }} />
      </PresentSection>
      <SubjectRules family="millcert" subjectId={millCertificationId} />
      <Section title={t('timeline')}>
        <RecordHistory of="certificate" id={millCertificationId} />
      </Section>
    </Page>
  )
}

function nameOf({ certificateNumber, heatNumber }: Certificate): string {
  return `${certificateNumber} · ${heatNumber}`
}

function Decisions({ certificate }: CertificateProps) {
  const { t } = useTexts()
  const possible = useDecisions()(certificate.status)
  const [deciding, setDeciding] = useState<Deciding>()
  return (
    <>
      {possible
        .map((decision, index) => (
          <Button
            key={decision.id}
            kind={index === 0 ? 'primary' : 'plain'}
            onPress={() => setDeciding({ certificate, decision })}
          >
            {t(decision.text)}
          </Button>
        ))
        .toReversed()}
      {deciding && <DecisionDialog {...deciding} onClose={() => setDeciding(undefined)} />}
    </>
  )
}

interface CertificateProps {
  readonly certificate: Certificate
}

const formTexts = {
  Plate: 'formPlate',
  Coil: 'formCoil',
  Section: 'formSection',
  HollowSection: 'formHollowSection',
  Bar: 'formBar',
  Tube: 'formTube',
  Other: 'formOther',
} as const satisfies Record<NonNullable<Certificate['productForm']>, TextName>

function Content({ certificate }: CertificateProps) {
  const { t, number, date, dateTime } = useTexts()
  const {
    productForm,
    thicknessMm,
    widthMm,
    nominalDiameterMm,
    bend,
    rebend,
    issuedOn,
    registeredAt,
    replacedBy,
  } = certificate
  const reductions = (certificate.tests ?? []).flatMap((test) =>
    test.kind === 'tensile' ? (test.reductionOfAreaPercent ?? []) : [],
  )
  return (
    <Facts
      facts={[
        { name: t('grade'), value: certificate.grade },
        { name: t('standard'), value: certificate.standard },
        { name: t('document'), value: certificate.inspectionDocument },
        { name: t('manufacturer'), value: certificate.manufacturer },
        { name: t('productForm'), value: productForm === null ? null : t(formTexts[productForm]) },
        { name: t('profile'), value: certificate.profile },
        { name: t('thickness'), value: thicknessMm === null ? null : `${number(thicknessMm)} mm` },
        { name: t('width'), value: widthMm === null ? null : `${number(widthMm)} mm` },
        ...onlyStated([
          {
            name: t('nominalDiameter'),
            value: nominalDiameterMm === null ? null : `${number(nominalDiameterMm)} mm`,
          },
          { name: t('bend'), value: bend && t(bend) },
          { name: t('rebend'), value: rebend && t(rebend) },
        ]),
        { name: t('deliveryCondition'), value: certificate.deliveryCondition },
        { name: t('zQuality'), value: certificate.zQuality },
        ...onlyStated([
          { name: t('ultrasonicClass'), value: certificate.ultrasonicClass },
          { name: t('surfaceClass'), value: certificate.surfaceClass },
          {
            name: t('reductionOfArea'),
            value: reductions.length === 0 ? null : `${reductions.map((one) => number(one)).join(', ')} %`,
          },
        ]),
        { name: t('item'), value: certificate.item },
        { name: t('documentRevision'), value: certificate.documentRevision },
        { name: t('purchaseOrder'), value: certificate.purchaseOrder },
        { name: t('process'), value: certificate.steelmakingProcess },
        { name: t('issuedOn'), value: issuedOn === null ? null : date(issuedOn) },
        { name: t('registered'), value: dateTime(registeredAt) },
        {
          name: t('replacedBy'),
          value: replacedBy && <Replacement millCertificationId={replacedBy} />,
        },
      ]}
    />
  )
}

/** Few certificates state these values, so they are shown only where they are stated. */
function onlyStated<Shown extends { readonly name: string; readonly value: string | null }>(
  facts: readonly Shown[],
): readonly Shown[] {
  return facts.filter(({ value }) => value !== null)
}

function Replacement({ millCertificationId }: { readonly millCertificationId: string }) {
  const companyId = useCompanyId()
  const { data } = useRecord(
    'getCertificate',
    { params: { companyId, millCertificationId } },
    { every: false },
  )
  return (
    <Link href={pathIn(companyId, `/certificates/${millCertificationId}`)}>
      {data?.data.certificateNumber ?? millCertificationId.slice(0, 8)}
    </Link>
  )
}

function Chemistry({ certificate: { millCertificationId, chemistry } }: CertificateProps) {
  const { t, number } = useTexts()
  const limitsOf = useBrokenLimits('millcert', millCertificationId)
  return (
    <Section title={t('chemistry')}>
      {chemistry ? (
        <>
          <dl className="elements">
            {inMillOrder(chemistry).map(([element, percent]) => (
              <div key={element}>
                <dt>{element}</dt>
                <dd>
                  {number(percent, usualDecimals(element))}
                  <Limits broken={limitsOf(`certificate.chemistry.${element}`)} />
                </dd>
              </div>
            ))}
          </dl>
          <p className="muted small">{t('chemistryText')}</p>
        </>
      ) : (
        <p className="muted">{t('noValues')}</p>
      )}
    </Section>
  )
}

function Mechanical({ certificate: { millCertificationId, mechanical } }: CertificateProps) {
  const { t, number } = useTexts()
  const limitsOf = useBrokenLimits('millcert', millCertificationId)
  if (!mechanical)
    return (
      <Section title={t('mechanical')}>
        <p className="muted">{t('noValues')}</p>
      </Section>
    )
  const { reHMpa, rmMpa, a5Percent, kvJoule, kvTemperatureC, rmReRatio, agtPercent, massPerMetreKg } =
    mechanical
  const inUnit = (value: number | null, unit: string) => (value === null ? null : `${number(value)} ${unit}`)
  const impact =
    kvJoule === null || kvTemperatureC === null
      ? inUnit(kvJoule, 'J')
      : t('kvAt', { value: number(kvJoule), temperature: number(kvTemperatureC) })
  const values = [
    { name: `${t('reH')} ReH`, value: inUnit(reHMpa, 'MPa'), field: 'reHMpa' },
    { name: `${t('rm')} Rm`, value: inUnit(rmMpa, 'MPa'), field: 'rmMpa' },
    { name: `${t('a5')} A5`, value: inUnit(a5Percent, '%'), field: 'a5Percent' },
    { name: `${t('kv')} KV`, value: impact, field: 'kvJoule' },
    ...onlyStated([
      { name: 'Rm/Re', value: rmReRatio === null ? null : number(rmReRatio), field: 'rmReRatio' },
      { name: `${t('agt')} Agt`, value: inUnit(agtPercent, '%'), field: 'agtPercent' },
      { name: t('massPerMetre'), value: inUnit(massPerMetreKg, 'kg/m'), field: 'massPerMetreKg' },
    ]),
  ]
  return (
    <Section title={t('mechanical')}>
      <Facts
        facts={values.map(({ name, value, field }) => ({
          name,
          value: value && (
            <>
              {value}
              <Limits broken={limitsOf(`certificate.mechanical.${field}`)} />
            </>
          ),
        }))}
      />
    </Section>
  )
}

function Usage({ millCertificationId }: { readonly millCertificationId: string }) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const nameOf = useBarName()
  const { rows: bars, error } = useList('listProductionPlanBars', {
    params: { companyId },
    query: { millCertificationId, include: ['verdict'] },
  })
  return (
    <Section title={t('usageTitle')}>
      {!bars && (error ? <Failure error={error} /> : <Loading lines={2} />)}
      {bars?.length === 0 && <p className="muted">{t('noUsageText')}</p>}
      {bars && bars.length > 0 && (
        <ul className="lines">
          {bars.map((bar) => (
            <li key={bar.barId}>
              <BarVerdict {...bar} />
              <Link href={pathIn(companyId, `/bars/${bar.barId}`)}>{nameOf(bar)}</Link>
              <BarMark status={bar.status} />
              <span className="end">
                {bar.orders?.map(({ orderId, orderNumber }) => (
                  <Link key={orderId} href={pathIn(companyId, `/orders/${orderId}`)}>
                    {orderNumber}
                  </Link>
                ))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
