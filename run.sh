export PATH=/tmp/w/left-m/node_modules/.bin:$PATH
f=src/http/kit/authentication/authenticate.ts
for m in '132s/one.companyId === companyId)?.roles ?? \[\]/true)?.roles ?? []/' '132s/one.companyId === companyId/one.companyId !== companyId/' '132s/)?.roles ?? \[\],/)?.roles!,/' '133s/snapshot/[]/' '134s/void countRequest(caller)/undefined/'; do
 sed -i "$m" $f; echo "== $m"; git diff --shortstat
 /tmp/w/bin/heavy npx vitest run test/http/kit/authentication test/http/kit/serviceRoutes --project int --maxWorkers=1 2>&1 | grep -E 'FAIL|Tests |Files ' | head -6; git checkout -q $f; done
f=src/http/kit/routing/readRoute.ts
sed -i 's/revision == null || moment ?/revision == null ?/' $f;  git diff --shortstat
 /tmp/w/bin/heavy npx vitest run test/http/kit/routing/asOf.int.spec.ts --maxWorkers=1 2>&1 | grep -E 'FAIL|Tests |Files ' | head -6; git checkout -q $f
