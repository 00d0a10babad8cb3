-- rows of people in each region, for noise of scale 3: a person has at most three rows
select fixed.region, count(people.region) as number
from (select 'N' as region union all select 'S' union all select 'W') as fixed
left join people on people.region = fixed.region
group by fixed.region
order by fixed.region
