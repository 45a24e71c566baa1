//! Does every index in a file name something that exists, and does no subgraph call itself?

use super::{
    defect::{Defect, Fault, Within},
    descriptor::{Field, Kind, Refers},
    schema::{self, model, signature_def, sub_graph},
    structure::Budget,
    view::View,
};

type Checked<T = ()> = Result<T, Box<Defect>>;

/// Checks all indices of the model `root`, which has been walked by [`super::structure`].
pub(super) fn check(root: View<'_>, budget: &mut Budget) -> Checked {
    let subgraphs = root.count(model::SUBGRAPHS).unwrap_or(0);
    let mut calls = Calls::new(subgraphs);
    let scope = Scope {
        root,
        buffers: root.count(model::BUFFERS).unwrap_or(0),
        operator_codes: root.count(model::OPERATOR_CODES).unwrap_or(0),
        subgraphs,
        tensors: 0,
        caller: None,
    };
    scope.table(root, budget, &mut calls)?;
    match calls.cycle() {
        Some(index) => Err(Fault::Recursion(index).at(root.offset())).within("subgraphs"),
        None => Ok(()),
    }
}

/// How long the lists are that indices at this place point into.
#[derive(Clone, Copy)]
struct Scope<'a> {
    root: View<'a>,
    buffers: usize,
    operator_codes: usize,
    subgraphs: usize,
    tensors: usize,
    /// The subgraph we are in.
    caller: Option<usize>,
}

impl<'a> Scope<'a> {
    fn table(&self, view: View<'a>, budget: &mut Budget, calls: &mut Calls) -> Checked {
        for (slot, field) in view.table().fields.iter().enumerate() {
            self.value(view, slot, field, budget, calls).within(field.name)?;
        }
        Ok(())
    }

    fn value(&self, view: View<'a>, slot: usize, field: &Field, budget: &mut Budget, calls: &mut Calls) -> Checked {
        match (&field.kind, field.refers) {
            (Kind::Scalar(_), Some(refers)) => self.index(view.i32(slot).unwrap_or(0), refers, view.offset(), calls),
            (Kind::Scalars { .. }, Some(refers)) => {
                let indices = view.i32s(slot);
                budget.spend(indices.len(), view.offset())?;
                for (i, index) in indices.enumerate() {
                    self.index(index, refers, view.offset(), calls).item(i)?;
                }
                Ok(())
            }
            (Kind::Table(_) | Kind::Union(_), _) => match view.child(slot) {
                Some(child) => self.table(child, budget, calls),
                None => Ok(()),
            },
            (Kind::Tables(_), _) => {
                for (i, child) in view.children(slot).enumerate() {
                    self.inside(child, i)
                        .and_then(|scope| scope.table(child, budget, calls))
                        .item(i)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The scope of `child`, which is item `index` of a vector.
    fn inside(&self, child: View<'a>, index: usize) -> Checked<Self> {
        let tensors_of = |subgraph: View<'_>| subgraph.count(sub_graph::TENSORS).unwrap_or(0);
        if std::ptr::eq(child.table(), &schema::SUB_GRAPH) {
            return Ok(Scope {
                tensors: tensors_of(child),
                caller: Some(index),
                ..*self
            });
        }
        if std::ptr::eq(child.table(), &schema::SIGNATURE_DEF) {
            // Checked before the tensors, whose number depends on it.
            let index = child.u32(signature_def::SUBGRAPH_INDEX).unwrap_or(0);
            let Some(graph) = self.root.nth(model::SUBGRAPHS, index as usize) else {
                let fault = Fault::NoSuch {
                    what: "subgraph",
                    index: index.into(),
                    count: self.subgraphs,
                };
                return Err(fault.at(child.offset())).within("subgraph_index");
            };
            return Ok(Scope {
                tensors: tensors_of(graph),
                ..*self
            });
        }
        Ok(*self)
    }

    fn index(&self, index: i32, refers: Refers, offset: usize, calls: &mut Calls) -> Checked {
        let (what, count) = match refers {
            Refers::Buffer => ("buffer", self.buffers),
            Refers::OperatorCode => ("operator code", self.operator_codes),
            Refers::SubGraph => ("subgraph", self.subgraphs),
            Refers::OptionalTensor if index == -1 => return Ok(()),
            Refers::Tensor | Refers::OptionalTensor => ("tensor", self.tensors),
        };
        match usize::try_from(index) {
            Ok(found) if found < count => {
                if let (Refers::SubGraph, Some(caller)) = (refers, self.caller) {
                    calls.add(caller, found);
                }
                Ok(())
            }
            _ => Err(Fault::NoSuch {
                what,
                index: i64::from(index),
                count,
            }
            .at(offset)),
        }
    }
}

/// Which subgraph runs which.
struct Calls {
    callees: Vec<Vec<usize>>,
}

impl Calls {
    fn new(subgraphs: usize) -> Self {
        Calls {
            callees: vec![Vec::new(); subgraphs],
        }
    }

    fn add(&mut self, caller: usize, callee: usize) {
        self.callees[caller].push(callee);
    }

    /// A subgraph from which a ring of calls is reached, if there is any: what is left after taking away, again and
    /// again, the subgraphs that nobody calls.
    fn cycle(&self) -> Option<usize> {
        let mut callers = vec![0usize; self.callees.len()];
        self.callees.iter().flatten().for_each(|&callee| callers[callee] += 1);
        let mut free: Vec<usize> = (0..callers.len()).filter(|&i| callers[i] == 0).collect();
        while let Some(caller) = free.pop() {
            for &callee in &self.callees[caller] {
                callers[callee] -= 1;
                if callers[callee] == 0 {
                    free.push(callee);
                }
            }
        }
        callers.iter().position(|&n| n > 0)
    }
}
