import { QueryClientProvider } from '@tanstack/react-query'
import { Component, lazy, type ReactNode, Suspense, useContext, useEffect } from 'react'
import { I18nProvider } from 'react-aria-components'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { useAsOf } from '../api/asOf.ts'
import { createQueries } from '../api/queries.ts'
import { Failure, Loading } from '../kit/Notice.tsx'
import { HomeScreen } from '../screens/home/HomeScreen.tsx'
import { Missing } from '../screens/Missing.tsx'
import { NoCompany } from '../screens/NoCompany.tsx'
import { type TextName, useTexts } from '../texts/texts.ts'
import { AsOfRouter, PastBanner, PresentScreen } from './asOf.tsx'
import { CompanyContext, pathIn, rememberCompany, useUsualCompany } from './company.tsx'
import { Shell } from './Shell.tsx'
import { LoggedIn, loggedInPath, Session, usePerson } from './session.tsx'

const queries = createQueries()

// The first screen loads without the others.
const KeysScreen = lazy(async () => ({
  default: (await import('../screens/company/keys/KeysScreen.tsx')).KeysScreen,
}))
const TagsScreen = lazy(async () => ({
  default: (await import('../screens/tags/TagsScreen.tsx')).TagsScreen,
}))
const TagScreen = lazy(async () => ({ default: (await import('../screens/tags/TagScreen.tsx')).TagScreen }))
const CertificatesScreen = lazy(async () => ({
  default: (await import('../screens/certificates/CertificatesScreen.tsx')).CertificatesScreen,
}))
const CertificateScreen = lazy(async () => ({
  default: (await import('../screens/certificates/CertificateScreen.tsx')).CertificateScreen,
}))
const OrdersScreen = lazy(async () => ({
  default: (await import('../screens/orders/OrdersScreen.tsx')).OrdersScreen,
}))
const DeliveriesScreen = lazy(async () => ({
  default: (await import('../screens/deliveries/DeliveriesScreen.tsx')).DeliveriesScreen,
}))
const AuditScreen = lazy(async () => ({
  default: (await import('../screens/audit/AuditScreen.tsx')).AuditScreen,
}))
const BarsScreen = lazy(async () => ({
  default: (await import('../screens/bars/BarsScreen.tsx')).BarsScreen,
}))
const PlanScreen = lazy(async () => ({
  default: (await import('../screens/bars/PlanScreen.tsx')).PlanScreen,
}))
const SawScreen = lazy(async () => ({ default: (await import('../screens/saw/SawScreen.tsx')).SawScreen }))
const SettingsScreen = lazy(async () => ({
  default: (await import('../screens/company/SettingsScreen.tsx')).SettingsScreen,
}))
const NewPackScreen = lazy(async () => ({
  default: (await import('../screens/rulePacks/PackScreen.tsx')).NewPackScreen,
}))
const PackScreen = lazy(async () => ({
  default: (await import('../screens/rulePacks/PackScreen.tsx')).PackScreen,
}))
const OperationsScreen = lazy(async () => ({
  default: (await import('../screens/operations/OperationsScreen.tsx')).OperationsScreen,
}))
const RecallScreen = lazy(async () => ({
  default: (await import('../screens/search/RecallScreen.tsx')).RecallScreen,
}))
const FiguresScreen = lazy(async () => ({
  default: (await import('../screens/figures/FiguresScreen.tsx')).FiguresScreen,
}))
const OrderScreen = lazy(async () => ({
  default: (await import('../screens/orders/OrderScreen.tsx')).OrderScreen,
}))

export function App() {
  const { language } = useTexts()
  return (
    <QueryClientProvider client={queries}>
      <I18nProvider locale={language}>
        <AsOfRouter>
          <Switch>
            <Route path={loggedInPath}>
              <LoggedIn />
            </Route>
            <Route>
              <Session>
                <Screens />
              </Session>
            </Route>
          </Switch>
        </AsOfRouter>
      </I18nProvider>
    </QueryClientProvider>
  )
}

function Screens() {
  const usual = useUsualCompany()
  const [place] = useLocation()
  const asOf = useAsOf()
  const companyId = /^\/c\/([^/]+)/.exec(place)?.[1]
  useEffect(() => {
    if (companyId !== undefined) rememberCompany(companyId)
  }, [companyId])
  return (
    <CompanyContext value={companyId}>
      <Shell>
        <PastBanner />
        <Catch key={`${place} ${asOf}`}>
          <Suspense fallback={<Loading />}>
            <Switch>
              <PresentRoute path="/account/keys" title="keys">
                <KeysScreen />
              </PresentRoute>
              <PresentRoute path="/operations" title="operations">
                <OperationsScreen />
              </PresentRoute>
              <Route path="/">
                {usual === undefined ? <NoCompany /> : <Redirect to={pathIn(usual)} replace />}
              </Route>
              <Route path="/c/:companyId/*?">
                <CompanyScreens />
              </Route>
              <Route>
                <Missing />
              </Route>
            </Switch>
          </Suspense>
        </Catch>
      </Shell>
    </CompanyContext>
  )
}

function CompanyScreens() {
  const { memberships } = usePerson()
  const companyId = useContext(CompanyContext)
  if (!memberships.some((one) => one.companyId === companyId)) return <Missing />
  return (
    <Switch>
      <Route path="/c/:companyId">
        <HomeScreen key={companyId} />
      </Route>
      <Route path="/c/:companyId/certificates">
        <CertificatesScreen />
      </Route>
      <Route path="/c/:companyId/certificates/:id">
        {({ id }) => <CertificateScreen key={id} millCertificationId={id} />}
      </Route>
      <Route path="/c/:companyId/deliveries">
        <DeliveriesScreen />
      </Route>
      <Route path="/c/:companyId/orders">
        <OrdersScreen />
      </Route>
      <Route path="/c/:companyId/orders/:id">{({ id }) => <OrderScreen key={id} orderId={id} />}</Route>
      <Route path="/c/:companyId/bars/:id?">
        {({ id }) => <BarsScreen {...(id !== undefined && { barId: id })} />}
      </Route>
      <Route path="/c/:companyId/plans/:id">{({ id }) => <PlanScreen key={id} planId={id} />}</Route>
      <Route path="/c/:companyId/audit">
        <AuditScreen />
      </Route>
      <PresentRoute path="/c/:companyId/recall" title="recallShort">
        <RecallScreen />
      </PresentRoute>
      <PresentRoute path="/c/:companyId/figures" title="figures">
        <FiguresScreen />
      </PresentRoute>
      <PresentRoute path="/c/:companyId/saw" title="saw">
        <SawScreen />
      </PresentRoute>
      <PresentRoute path="/c/:companyId/settings" title="settings">
        <SettingsScreen />
      </PresentRoute>
      <PresentRoute path="/c/:companyId/settings/new-rule-pack" title="newRulePack">
        <NewPackScreen />
      </PresentRoute>
      <PresentRoute path="/c/:companyId/settings/rule-packs/:rulePackId" title="rulePack">
        {({ rulePackId }) => <PackScreen key={rulePackId} rulePackId={rulePackId!} />}
      </PresentRoute>
      <Route path="/c/:companyId/tags/:family">
        {({ family }) => (isFamily(family) ? <TagsScreen key={family} family={family} /> : <Missing />)}
      </Route>
      <Route path="/c/:companyId/tags/:family/:tagId">
        {({ family, tagId }) =>
          isFamily(family) ? <TagScreen key={tagId} family={family} tagId={tagId} /> : <Missing />
        }
      </Route>
      <Route>
        <Missing />
      </Route>
    </Switch>
  )
}

interface PresentRouteProps {
  readonly path: string
  readonly title: TextName
  readonly children: ReactNode | ((params: Readonly<Record<string, string>>) => ReactNode)
}

/** A route whose screen shows the present alone. `Switch` takes any element that has a path. */
function PresentRoute({ title, children, ...route }: PresentRouteProps) {
  return (
    <Route {...route}>
      {(params) => (
        <PresentScreen title={title}>
          {typeof children === 'function' ? children(params as Record<string, string>) : children}
        </PresentScreen>
      )}
    </Route>
  )
}

function isFamily(name: string): name is 'millcert' | 'order' {
  return name === 'millcert' || name === 'order'
}

/** A screen that fails leaves the frame in place. */
class Catch extends Component<{ readonly children: ReactNode }, { error: Error | undefined }> {
  override state = { error: undefined as Error | undefined }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    return this.state.error ? <Failure error={this.state.error} /> : this.props.children
  }
}
